import * as pulumi from "@pulumi/pulumi";
import { Pipe, Provider, ReversePrivateEndpoint, ServiceSettings } from "../../provider/src/index";
import { claimAdoption, claimService, type Claimant } from "../../provider/src/resources/claim";
import { later, setMocks, startProgram } from "./mocked-program";

/** Each test is a program of its own, as the engine runs it: with a stack. */
beforeEach(startProgram);
afterEach(() => {
  pulumi.runtime.setAllConfig({});
  delete process.env["DATAPIPES_SERVICE_ID"];
  delete process.env["DATAPIPES_BASE_URL"];
});

let services = 0;
/** An id in capitals, as an API may write it. */
const newService = (): string => `0A1B2C3D-0000-4000-8000-${String(++services).padStart(12, "0")}`;

const settings = (name: string, provider?: Provider): Claimant => ({
  type: "ServiceSettings",
  name,
  opts: { provider },
});
const refusal = (second: string, first: string, service: string): string =>
  `ServiceSettings "${second}" and "${first}" are both for service ${service}. A program can have one ServiceSettings for each ` +
  `service: merge the two into one.`;

test("refuses a second resource for the settings of a service, in any spelling of its id", async () => {
  const [service, known] = [newService(), newService()];
  expect(claimService(settings("first"), service)).toBe(service);
  const same = service.toLowerCase();
  expect(() => claimService(settings("second"), same)).toThrow(refusal("second", "first", same));
  // Another one, which becomes known later, is claimed then.
  expect(await later(claimService(settings("third"), pulumi.output(known)))).toBe(known);
  expect(() => claimService(settings("fourth"), known)).toThrow(refusal("fourth", "third", known));
});

test.each<[place: string, stack: boolean, provider: boolean | undefined]>([
  ["the stack's configuration", true, undefined],
  ["the environment, where the configuration has none", false, undefined],
  ["its provider", false, true],
  ["the environment, where its provider has none", false, false],
])("a resource that names no service takes that of %s", async (_, stack, ofProvider) => {
  const serviceId = newService();
  process.env["DATAPIPES_SERVICE_ID"] = stack || ofProvider === true ? newService() : serviceId;
  if (stack) pulumi.runtime.setAllConfig({ "datapipes:serviceId": serviceId });
  const args = ofProvider === true ? { serviceId } : {};
  const provider = ofProvider === undefined ? undefined : new Provider("theirs", args);
  const claimed = await later(claimService(settings("first", provider), undefined));
  expect(claimed).toBe(provider && serviceId);
  expect(() => claimService(settings("second"), serviceId)).toThrow(refusal("second", "first", serviceId));
});

test("a resource has no service where no setting names one, and check says so", async () => {
  for (const name of ["first", "second"])
    expect(await later(claimService(settings(name), undefined))).toBeUndefined();
});

test("accepts services with the same id on two servers", () => {
  const service = newService();
  const [one, two] = ["https://one.example", "https://two.example"];
  for (const address of [one, two]) {
    pulumi.runtime.setAllConfig({ "datapipes:baseUrl": address });
    expect(claimService(settings(address), service)).toBe(service);
  }
  expect(() => claimService(settings("third"), service)).toThrow(refusal("third", two, service));
  process.env["DATAPIPES_BASE_URL"] = one;
  pulumi.runtime.setAllConfig({});
  expect(() => claimService(settings("fourth"), service)).toThrow(refusal("fourth", one, service));
});

test("a resource is refused at once by its constructor, and one that is only read claims nothing", () => {
  const serviceId = newService();
  ServiceSettings.get("read", serviceId, { serviceId });
  new ServiceSettings("first", { serviceId });
  expect(() => new ServiceSettings("second", { serviceId })).toThrow(refusal("second", "first", serviceId));
});

test("a resource asks the provider of its options, and that of its parent", async () => {
  const services = [newService(), newService()];
  const [own, inherited] = services.map((serviceId) => new Provider(serviceId, { serviceId }));
  const providers = inherited === undefined ? [] : [inherited];
  const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers });
  const made = [
    new ServiceSettings("by option", {}, { provider: own }),
    new ServiceSettings("by parent", {}, { parent }),
  ];
  expect(await Promise.all(made.map(({ serviceId }) => later(serviceId)))).toEqual(services);
});

describe("an id that two resources adopt", () => {
  const pipe = (name: string, opts = {}): Claimant => ({ type: "Pipe", name, opts });
  const refusal = (second: string, first: string, id: string): string =>
    `Pipe "${second}" and "${first}" both adopt ${id}. Only one resource can manage it: remove one of them from the program.`;
  const source = { kafka: {} };

  test("is refused by the constructor of the second one, however it is written", () => {
    const id = newService();
    const same = id.toLowerCase();
    new Pipe("first", { adopt: id, source });
    expect(() => new Pipe("second", { adopt: same, source })).toThrow(refusal("second", "first", same));
  });

  test("is refused with the types of the parents, if their names are the same", () => {
    const id = newService();
    const parent = new pulumi.ComponentResource("test:index:Group", "group");
    expect(claimAdoption(pipe("same", { parent }), id)).toBe(id);
    expect(() => claimAdoption(pipe("same"), id)).toThrow(
      refusal("Pipe::same", "test:index:Group$Pipe::same", id),
    );
  });

  test("is refused when the first one became known later, and where the two have different providers", async () => {
    const id = newService();
    const provider = new Provider("other", { baseUrl: "https://api.example/" });
    expect(await later(claimAdoption(pipe("first", { provider }), pulumi.output(id)))).toBe(id);
    pulumi.runtime.setAllConfig({ "datapipes:baseUrl": "https://api.example" });
    expect(() => claimAdoption(pipe("second"), id)).toThrow(refusal("second", "first", id));
  });

  test("may be adopted once at each of two servers, and once by each type", async () => {
    const id = newService();
    const provider = new Provider("other", { baseUrl: "https://other.example" });
    expect(await later(claimAdoption(pipe("first", { provider }), id))).toBe(id);
    expect(claimAdoption(pipe("second"), id)).toBe(id);
    const endpoint = { description: "d", type: "VPC_ENDPOINT_SERVICE", adopt: id } as const;
    new ReversePrivateEndpoint("third", endpoint);
    expect(() => new ReversePrivateEndpoint("fourth", endpoint)).toThrow(/"fourth" and "third" both adopt/);
  });

  test("is not claimed by a pipe that the program only reads, or without an adoption", () => {
    const id = newService();
    Pipe.get("read", id, { adopt: id });
    expect(claimAdoption(pipe("first"), undefined)).toBeUndefined();
    expect(claimAdoption(pipe("second"), id)).toBe(id);
  });
});

test("a program is built any number of times in one test process, with and without new mocks", async () => {
  const serviceId = newService();
  const build = (name: string) => [
    new ServiceSettings(name, { serviceId }),
    new ServiceSettings(`${name} by output`, { serviceId: pulumi.output(newService()) }),
    new Pipe(name, { adopt: serviceId, source: { kafka: {} } }),
  ];
  await setMocks();
  for (const name of ["same", "same", "other"]) build(name);
  await setMocks();
  expect(await Promise.all(build("same").map(({ id }) => later(id)))).toHaveLength(3);
});
