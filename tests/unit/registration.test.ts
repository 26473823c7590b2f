import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../provider/src/core/resource-key";
import { Pipe, ReversePrivateEndpoint, ServiceSettings } from "../../provider/src/index";

const registered = new Map<string, Record<string, unknown>>();

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      registered.set(name, inputs as Record<string, unknown>);
      return { id: `${name}-id`, state: inputs as Record<string, unknown> };
    },
    call: () => ({}),
  }),
);

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

const source = { kafka: { brokers: "b" } };
const endpoint = { description: "d", type: "VPC_ENDPOINT_SERVICE" } as const;

type Options = pulumi.CustomResourceOptions;
type Policy = "retain" | "delete" | pulumi.Output<"retain" | "delete"> | undefined;

const kinds = {
  Pipe: (name: string, deletionPolicy: Policy, opts: Options) =>
    new Pipe(name, { source, deletionPolicy }, opts),
  ReversePrivateEndpoint: (name: string, deletionPolicy: Policy, opts: Options) =>
    new ReversePrivateEndpoint(name, { ...endpoint, deletionPolicy }, opts),
  ServiceSettings: (name: string, deletionPolicy: Policy, opts: Options) =>
    new ServiceSettings(name, { deletionPolicy }, opts),
};

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])("%s", (kind) => {
  test.each<[what: string, policy: Policy, opts: Options, expected: boolean | undefined]>([
    ["no policy", undefined, {}, true],
    ['"retain"', "retain", {}, true],
    ['"delete"', "delete", {}, undefined],
    ["a policy that becomes known later", pulumi.output("retain" as const), {}, undefined],
    ['"retain" and the option set to false', "retain", { retainOnDelete: false }, false],
    ['"delete" and the option set to true', "delete", { retainOnDelete: true }, true],
    ["the id of a resource that is only read", undefined, { id: "some-id" }, undefined],
  ])("gives the engine retainOnDelete for %s", (what, policy, opts, expected) => {
    const seen: (boolean | undefined)[] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      (args) => {
        seen.push(args.opts.retainOnDelete);
        return undefined;
      },
    ];
    const given = { ...opts, transformations };
    kinds[kind](`${kind} with ${what}`, policy, given);
    expect(seen).toEqual([expected]);
    expect(given).toEqual({ ...opts, transformations });
  });

  test("sends the plugin its name in the program", async () => {
    const outer = new pulumi.ComponentResource("test:index:Group", `${kind}-outer`);
    const inner = new pulumi.ComponentResource("test:index:Group", "inner", {}, { parent: outer });
    const own = kinds[kind](`${kind} alone`, undefined, {});
    const child = kinds[kind](`${kind} in groups`, undefined, { parent: inner });
    const read = kinds[kind](`${kind} read`, undefined, { id: "some-id", parent: inner });
    await Promise.all([own, child, read].map(({ urn }) => valueOf(urn)));
    expect(registered.get(`${kind} alone`)).toMatchObject({ __key: `${kind} alone` });
    expect(registered.get(`${kind} in groups`)).toMatchObject({
      __key: `${kind}-outer/inner/${kind} in groups`,
    });
    expect(registered.get(`${kind} read`)).not.toHaveProperty("__key");
  });

  test("refuses the option import, and names what works", () => {
    const make = () => kinds[kind]("imported", undefined, { import: "some-id" });
    expect(make).toThrow(pulumi.RunError);
    expect(make).toThrow(/^\w+ "imported": the resource option `import` /);
    const adoptable = kind !== "ServiceSettings";
    expect(make).toThrow(
      adoptable
        ? /`adopt: "<id>"`.*`datapipes import`/
        : /a declared ServiceSettings manages the settings of the existing service/,
    );
  });
});

test("two parents of one name and two types make two keys", () => {
  const keys = ["test:index:A", "test:index:B", "test:index:A"].map((type) =>
    keyOf("Pipe", "child", new pulumi.ComponentResource(type, "parent")),
  );
  expect(keys).toEqual(["parent/child", "parent/child (test:index:B$Pipe)", "parent/child"]);
});

test.each([
  ["Pipe", Pipe],
  ["ReversePrivateEndpoint", ReversePrivateEndpoint],
  ["ServiceSettings", ServiceSettings],
])(
  "%s without arguments, as JavaScript may write it, reaches the check of the plugin",
  async (kind, type) => {
    const Untyped = type as unknown as new (...given: unknown[]) => pulumi.CustomResource;
    const made = [
      new Untyped(`${kind} of nothing`),
      new Untyped(`${kind} of null`, null, null),
      new Untyped(`${kind} of undefined`, undefined, {}),
    ];
    await Promise.all(made.map(({ urn }) => valueOf(urn)));
    expect(registered.get(`${kind} of null`)).toMatchObject({ __key: `${kind} of null` });
  },
);

test.each([
  ["Pipe", Pipe],
  ["ReversePrivateEndpoint", ReversePrivateEndpoint],
  ["ServiceSettings", ServiceSettings],
])("a policy finds resources by the type of the class %s", (kind, type) => {
  // What `validateResourceOfType` of @pulumi/policy compares with the type that the engine states.
  expect((type as { __pulumiType?: unknown }).__pulumiType).toBe(`pulumi-nodejs:dynamic/datapipes:${kind}`);
});
