import * as pulumi from "@pulumi/pulumi";
import { Pipe, Provider, ReversePrivateEndpoint, ServiceSettings } from "../../provider/src/index";
import { claimAdoption, claimService, type Claimant } from "../../provider/src/resources/claim";

const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
  call: () => ({}),
};

/** Each test is a program of its own, as the engine runs it: with a stack. */
beforeEach(async () => {
  await pulumi.runtime.setMocks(mocks);
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
});

let services = 0;
/** An id in capitals, as an API may write it. */
const newService = (): string => `0A1B2C3D-0000-4000-8000-${String(++services).padStart(12, "0")}`;

/** What becomes known later, or why it does not. */
const later = (input: pulumi.Input<string | undefined>): Promise<unknown> =>
  (pulumi.output(input) as unknown as { promise(): Promise<unknown> }).promise();

const settings = (name: string, provider?: Provider): Claimant => ({
  type: "ServiceSettings",
  name,
  opts: { provider },
});

const refusal = (second: string, first: string, service: string): string =>
  `ServiceSettings "${second}" and "${first}" are both for service ${service}. A program can have one ServiceSettings for each ` +
  `service: merge the two into one.`;

test("refuses a second resource for the settings of a service, in any spelling of its id", () => {
  const service = newService();
  expect(claimService(settings("first"), service)).toBe(service);
  const same = service.toLowerCase();
  expect(() => claimService(settings("second"), same)).toThrow(refusal("second", "first", same));
  expect(() => claimService(settings("third"), newService())).not.toThrow();
});

test("a service whose id becomes known later is claimed then", async () => {
  const service = newService();
  const output = pulumi.output(service);
  expect(await later(claimService(settings("first"), output))).toBe(service);
  expect(() => claimService(settings("second"), service)).toThrow(refusal("second", "first", service));
});

describe("a resource that names no service", () => {
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    delete process.env["DATAPIPES_SERVICE_ID"];
    delete process.env["DATAPIPES_BASE_URL"];
  });

  test("takes the service of the stack's configuration", () => {
    const service = newService();
    pulumi.runtime.setAllConfig({ "datapipes:serviceId": service });
    expect(claimService(settings("first"), undefined)).toBeUndefined();
    expect(() => claimService(settings("second"), service)).toThrow(refusal("second", "first", service));
  });

  test("takes the service of the environment, where the configuration has none", async () => {
    const service = newService();
    process.env["DATAPIPES_SERVICE_ID"] = service;
    await later(claimService(settings("first"), undefined));
    expect(() => claimService(settings("second"), service)).toThrow(refusal("second", "first", service));
  });

  test("takes the service of its provider", async () => {
    const service = newService();
    const provider = new Provider("theirs", { serviceId: service });
    expect(await later(claimService(settings("first", provider), undefined))).toBe(service);
    expect(() => claimService(settings("second"), service)).toThrow(refusal("second", "first", service));
  });

  test("takes the service of the environment, where its provider has none", async () => {
    const service = newService();
    process.env["DATAPIPES_SERVICE_ID"] = service;
    const provider = new Provider("without a service");
    expect(await later(claimService(settings("first", provider), undefined))).toBe(service);
  });

  test("has no service where no setting names one, and check says so", async () => {
    for (const name of ["first", "second"])
      expect(await later(claimService(settings(name), undefined))).toBeUndefined();
  });

  test("accepts services with the same id on two servers", () => {
    const service = newService();
    for (const [name, address] of [
      ["first", "https://one.example"],
      ["second", "https://two.example"],
    ] as const) {
      pulumi.runtime.setAllConfig({ "datapipes:baseUrl": address });
      expect(() => claimService(settings(name), service)).not.toThrow();
    }
    expect(() => claimService(settings("third"), service)).toThrow(refusal("third", "second", service));
    process.env["DATAPIPES_BASE_URL"] = "https://one.example";
    pulumi.runtime.setAllConfig({});
    expect(() => claimService(settings("fourth"), service)).toThrow(refusal("fourth", "first", service));
  });
});

test("a resource is refused at once by its constructor, and one that is only read claims nothing", () => {
  const serviceId = newService();
  ServiceSettings.get("read", serviceId, { serviceId });
  const first = new ServiceSettings("first", { serviceId });
  expect(ServiceSettings.isInstance(first)).toBe(true);
  expect(() => new ServiceSettings("second", { serviceId })).toThrow(refusal("second", "first", serviceId));
});

test("a resource asks the provider of its options, and that of its parent", async () => {
  const services = [newService(), newService()];
  const own = new Provider("own", { serviceId: services[0] });
  const inherited = new Provider("inherited", { serviceId: services[1] });
  const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers: [inherited] });
  const made = [
    new ServiceSettings("by option", {}, { provider: own }),
    new ServiceSettings("by parent", {}, { parent }),
  ];
  expect(await Promise.all(made.map(({ serviceId }) => later(serviceId)))).toEqual(services);
});

describe("an id that two resources adopt", () => {
  const pipe = (name: string, opts: pulumi.CustomResourceOptions = {}): Claimant => ({
    type: "Pipe",
    name,
    opts,
  });
  const refusal = (second: string, first: string, id: string): string =>
    `Pipe "${second}" and "${first}" both adopt ${id}. Only one resource can manage it: remove one of them from the program.`;

  test("is refused by the constructor of the second one, however it is written", () => {
    const id = newService();
    new Pipe("first", { adopt: id, source: { kafka: {} } });
    expect(() => new Pipe("second", { adopt: id.toLowerCase(), source: { kafka: {} } })).toThrow(
      refusal("second", "first", id.toLowerCase()),
    );
  });

  test("is refused with the names of the parents", () => {
    const id = newService();
    const parent = new pulumi.ComponentResource("test:index:Group", "group");
    expect(claimAdoption(pipe("same", { parent }), id)).toBe(id);
    expect(() => claimAdoption(pipe("same"), id)).toThrow(refusal("same", "group/same", id));
  });

  test("is refused when the first one became known later, and where the two have different providers", async () => {
    const id = newService();
    const provider = new Provider("other", { baseUrl: "https://api.example/" });
    expect(await later(claimAdoption(pipe("first", { provider }), pulumi.output(id)))).toBe(id);
    pulumi.runtime.setAllConfig({ "datapipes:baseUrl": "https://api.example" });
    expect(() => claimAdoption(pipe("second"), id)).toThrow(refusal("second", "first", id));
    pulumi.runtime.setAllConfig({});
  });

  test("may be adopted once at each of two servers, and once by each type", async () => {
    const id = newService();
    const provider = new Provider("other", { baseUrl: "https://other.example" });
    expect(await later(claimAdoption(pipe("first", { provider }), id))).toBe(id);
    expect(claimAdoption(pipe("second"), id)).toBe(id);
    const endpoint = { description: "d", type: "VPC_ENDPOINT_SERVICE", adopt: id } as const;
    expect(() => new ReversePrivateEndpoint("third", endpoint)).not.toThrow();
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
  await pulumi.runtime.setMocks(mocks);
  for (const name of ["same", "same", "other"]) expect(() => build(name)).not.toThrow();
  await pulumi.runtime.setMocks(mocks);
  const built = build("same");
  expect(await Promise.all(built.map(({ id }) => later(id)))).toHaveLength(3);
});
