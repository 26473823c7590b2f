import * as pulumi from "@pulumi/pulumi";
import {
  Pipe,
  Provider,
  ReversePrivateEndpoint,
  ServiceSettings,
  type PipeSourceArgs,
} from "../../provider/src/index";

/** What the engine was asked for, by the name of the resource. */
const registered = new Map<string, { type: string; id?: string; inputs: Record<string, unknown> }>();

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

const serviceId = "0a1b2c3d-0000-4000-8000-0000000000a0";

interface Made {
  readonly Pipe: Pipe;
  readonly ReversePrivateEndpoint: ReversePrivateEndpoint;
  readonly ServiceSettings: ServiceSettings;
  readonly Provider: Provider;
}

let made: Made;
beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, type, id, inputs }) => {
      registered.set(name, { type, id, inputs: inputs as Record<string, unknown> });
      return {
        id: id === undefined || id === "" ? `${name}-id` : id,
        state: inputs as Record<string, unknown>,
      };
    },
    call: () => ({}),
  });
  made = {
    Pipe: new Pipe("a-pipe", { name: "orders", source: { kafka: { brokers: "b:9092" } } }),
    ReversePrivateEndpoint: new ReversePrivateEndpoint("an-endpoint", {
      description: "to it",
      type: "VPC_ENDPOINT_SERVICE",
    }),
    ServiceSettings: new ServiceSettings("some-settings", { serviceId, name: "Shop" }),
    Provider: new Provider("a-provider"),
  };
});

test("a resource says which settings its program gave its Provider, also where a parent has it", async () => {
  const provider = new Provider("eu", {
    baseUrl: "https://eu.example.com",
    maxRetries: 0,
    apiKeyId: undefined,
  });
  const silent = new Provider("silent");
  const component = new pulumi.ComponentResource("a:b:Component", "component", {}, { providers: [provider] });
  const source = { kafka: {} };
  const pipes = {
    "with provider": new Pipe("with provider", { source }, { provider }),
    "in component": new Pipe("in component", { source }, { parent: component }),
    "with silent provider": new Pipe("with silent provider", { source }, { provider: silent }),
    "without provider": new Pipe("without provider", { source }),
  };
  await Promise.all(Object.values(pipes).map(({ urn }) => valueOf(urn)));
  const given = { provider: "eu", names: ["baseUrl", "maxRetries"] };
  expect(Object.keys(pipes).map((name) => registered.get(name)?.inputs["__given"])).toEqual([
    given,
    given,
    undefined,
    undefined,
  ]);
});

const kinds = { Pipe, ReversePrivateEndpoint, ServiceSettings, Provider };

test.each(Object.keys(kinds) as (keyof Made)[])("%s.isInstance recognizes its own instances only", (kind) => {
  const known = Object.entries({ ...made, object: {}, text: "Pipe", nothing: undefined })
    .filter(([, value]) => kinds[kind].isInstance(value))
    .map(([name]) => name);
  expect(known).toEqual([kind]);
});

test.each([
  ["Pipe", "a-pipe", { name: "orders", source: { kafka: { brokers: "b:9092" } } }],
  ["ReversePrivateEndpoint", "an-endpoint", { description: "to it", type: "VPC_ENDPOINT_SERVICE" }],
  ["ServiceSettings", "some-settings", { serviceId, name: "Shop" }],
] as const)(
  "the engine is asked for a %s under its token, with the text that finds its code",
  async (kind, name, inputs) => {
    await valueOf(made[kind].urn);
    const { type, inputs: asked } = registered.get(name) ?? {};
    expect(type).toBe(`pulumi-nodejs:dynamic/datapipes:${kind}`);
    expect(asked).toMatchObject({
      ...inputs,
      __provider: `exports.handler = () => require("pulumi-datapipes/runtime").handler("${kind}");`,
    });
  },
);

test.each(["Pipe", "ReversePrivateEndpoint", "ServiceSettings"] as const)(
  "%s.get finds by id what this stack does not manage, with and without arguments",
  async (kind) => {
    const id = `${kind}-found`;
    const args = { organizationId: serviceId };
    const found = [kinds[kind].get(`${id}-by-id`, id), kinds[kind].get(`${id}-with-args`, id, args)];
    expect(await Promise.all(found.map((resource) => valueOf(resource.id)))).toEqual([id, id]);
    expect(registered.get(`${id}-by-id`)?.id).toBe(id);
    expect(registered.get(`${id}-with-args`)?.inputs).toMatchObject(args);
  },
);

test.each<[what: string, name: pulumi.Input<string | undefined> | undefined, expected: string]>([
  ["that its program gives none", undefined, "logical that its program gives none"],
  ["that its program gives", "orders", "orders"],
  ["that becomes known later", pulumi.output("orders"), "orders"],
  ["that turns out to be none", pulumi.output(undefined), "logical that turns out to be none"],
])("a pipe has the name %s", async (what, name, expected) => {
  const pipe = new Pipe(`logical ${what}`, { name, source: { kafka: {} } });
  expect(await valueOf(pipe.name)).toBe(expected);
});

test("sends no name for a pipe that is only read", async () => {
  await valueOf(Pipe.get("logical name", "an-id").urn);
  expect(registered.get("logical name")?.inputs["name"]).toBeUndefined();
});

test.each<[what: string, args: PipeSourceArgs, secret: boolean]>([
  ["credentials", { kafka: { brokers: "b", credentials: { username: "u", password: "p" } } }, true],
  [
    "an access key",
    { kinesis: { streamName: "s", region: "r", accessKey: { accessKeyId: "i", secretKey: "k" } } },
    true,
  ],
  ["nothing that is secret", { kafka: { brokers: "b" } }, false],
  ["credentials that are left out", { kafka: { brokers: "b", credentials: undefined } }, false],
])("the source of a pipe with %s is secret as it has to be", async (what, source, secret) => {
  const { source: output } = new Pipe(`pipe with ${what}`, { source });
  expect(await pulumi.isSecret(output)).toBe(secret);
});
