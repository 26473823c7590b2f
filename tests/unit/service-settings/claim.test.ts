import * as pulumi from "@pulumi/pulumi";
import { Provider, ServiceSettings } from "../../../provider/src/index";
import { claimService } from "../../../provider/src/resources/service-settings/claim";

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: () => ({}),
  }),
);

let services = 0;
/** A service that no other test speaks of, for all of them are one program. */
const newService = (): string => `0A1B2C3D-0000-4000-8000-${String(++services).padStart(12, "0")}`;

/** What becomes known later, or why it does not. */
const later = (input: pulumi.Input<string | undefined>): Promise<unknown> =>
  (pulumi.output(input) as unknown as { promise(): Promise<unknown> }).promise();

const complaint = (second: string, first: string, service: string): string =>
  `ServiceSettings "${second}" and "${first}" are both for service ${service}. A service has one of them in a program: ` +
  `put what both declare into one.`;

test("a second resource for the settings of a service is refused, however its id is written", () => {
  const service = newService();
  expect(claimService("first", service, undefined)).toBe(service);
  const same = service.toLowerCase();
  expect(() => claimService("second", same, undefined)).toThrow(complaint("second", "first", same));
  expect(() => claimService("third", newService(), undefined)).not.toThrow();
});

test("a service whose id becomes known later is claimed then", async () => {
  const service = newService();
  const output = pulumi.output(service);
  expect(await later(claimService("first", output, undefined))).toBe(service);
  expect(() => claimService("second", service, undefined)).toThrow(complaint("second", "first", service));
});

describe("a resource that names no service", () => {
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    delete process.env["DATAPIPES_SERVICE_ID"];
    delete process.env["DATAPIPES_BASE_URL"];
  });

  test("is for that of the stack's configuration", () => {
    const service = newService();
    pulumi.runtime.setAllConfig({ "datapipes:serviceId": service });
    expect(claimService("first", undefined, undefined)).toBeUndefined();
    expect(() => claimService("second", service, undefined)).toThrow(complaint("second", "first", service));
  });

  test("is for that of the environment, where the configuration has none", async () => {
    const service = newService();
    process.env["DATAPIPES_SERVICE_ID"] = service;
    await later(claimService("first", undefined, undefined));
    expect(() => claimService("second", service, undefined)).toThrow(complaint("second", "first", service));
  });

  test("is for that of its provider", async () => {
    const service = newService();
    const provider = new Provider("theirs", { serviceId: service });
    expect(await later(claimService("first", undefined, provider))).toBe(service);
    expect(() => claimService("second", service, undefined)).toThrow(complaint("second", "first", service));
  });

  test("is for that of the environment, where its provider has none", async () => {
    const service = newService();
    process.env["DATAPIPES_SERVICE_ID"] = service;
    const provider = new Provider("without a service");
    expect(await later(claimService("first", undefined, provider))).toBe(service);
  });

  test("is for none where nobody names one, and check says so", async () => {
    for (const name of ["first", "second"])
      expect(await later(claimService(name, undefined, undefined))).toBeUndefined();
  });

  test("two servers may have services of one id", () => {
    const service = newService();
    for (const [name, address] of [
      ["first", "https://one.example"],
      ["second", "https://two.example"],
    ] as const) {
      pulumi.runtime.setAllConfig({ "datapipes:baseUrl": address });
      expect(() => claimService(name, service, undefined)).not.toThrow();
    }
    expect(() => claimService("third", service, undefined)).toThrow(complaint("third", "second", service));
    process.env["DATAPIPES_BASE_URL"] = "https://one.example";
    pulumi.runtime.setAllConfig({});
    expect(() => claimService("fourth", service, undefined)).toThrow(complaint("fourth", "first", service));
  });
});

test("a resource is refused at once by its constructor, and one that is only read claims nothing", () => {
  const serviceId = newService();
  ServiceSettings.get("read", serviceId, { serviceId });
  const first = new ServiceSettings("first", { serviceId });
  expect(ServiceSettings.isInstance(first)).toBe(true);
  expect(() => new ServiceSettings("second", { serviceId })).toThrow(complaint("second", "first", serviceId));
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
