import * as pulumi from "@pulumi/pulumi";
import { fieldsOf } from "../../provider/src/lifecycle/comparison/fields";
import * as datapipes from "../../provider/src/index";
import { DEFINITIONS, RESOURCE_TYPES, type ResourceType } from "../../provider/src/run/definitions";
import type { RunContext } from "../../provider/src/resources/context";
import { EVERY_RESOURCE } from "../kit/resources";
import { later, setMocks } from "./mocked-program";

/** Without an API, which only its operations need. */
const definitionOf = (kind: ResourceType) => DEFINITIONS[kind]({} as RunContext);

/** What the engine was asked for, by the name of the resource. */
const registered = new Map<string, { type: string; id?: string; inputs: Record<string, unknown> }>();

beforeAll(() =>
  setMocks({
    newResource: (asked) => {
      registered.set(asked.name, asked);
      return { id: asked.id === "" ? `${asked.name}-id` : asked.id, state: asked.inputs as object };
    },
  }),
);

afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

/** What the engine was asked for to make these resources. */
async function registrationsOf(...resources: pulumi.CustomResource[]) {
  const names = await Promise.all(resources.map(async ({ urn }) => (await later(urn)).split("::").at(-1)));
  return names.map((name = "") => registered.get(name));
}

type Options = pulumi.CustomResourceOptions;
type Policy = pulumi.Input<"retain" | "delete"> | undefined;

const source = { kafka: { brokers: "b:9092" } };
const organizationId = "0a1b2c3d-0000-4000-8000-0000000000a0";

const { Pipe, Provider } = datapipes;
const make = (kind: ResourceType, name: string, opts: Options = {}, deletionPolicy?: Policy) => {
  const Class = datapipes[kind] as new (name: string, args: object, opts: Options) => pulumi.CustomResource;
  return new Class(name, { ...EVERY_RESOURCE[kind].args, deletionPolicy }, opts);
};

describe.each(RESOURCE_TYPES)("%s", (kind) => {
  test("is registered under its token, with its arguments and its handler", async () => {
    const [alone] = await registrationsOf(make(kind, `${kind} alone`));
    const __provider = `exports.handler = () => require("pulumi-datapipes/runtime").handler("${kind}");`;
    expect(alone).toMatchObject({
      type: `pulumi-nodejs:dynamic/datapipes:${kind}`,
      inputs: { ...EVERY_RESOURCE[kind].args, __provider },
    });
    // What `validateResourceOfType` of @pulumi/policy compares with the type that the engine states.
    expect(datapipes[kind].__pulumiType).toBe(alone?.type);
  });

  test("has a key of its parents, its type and its name", async () => {
    const outer = new pulumi.ComponentResource("test:index:Group", `${kind}-outer`);
    const parent = new pulumi.ComponentResource("test:index:Part", "inner", {}, { parent: outer });
    const first = make(kind, `${kind} first`);
    const inGroups = make(kind, `${kind} in groups`, { parent });
    const ofFirst = make(kind, `${kind} inside`, { parent: first });
    const registrations = await registrationsOf(first, inGroups, ofFirst);
    expect(registrations.map((one) => one?.inputs["__key"])).toEqual([
      `${kind}::${kind} first`,
      `test:index:Group$test:index:Part$${kind}::${kind} in groups`,
      `${kind}$${kind}::${kind} inside`,
    ]);
  });

  test("has every field and every computed value as an output, and nothing else", () => {
    const { type, schema, secretNames, outputs: computed } = definitionOf(kind);
    expect(type).toBe(kind);
    const fields = fieldsOf(schema, secretNames).map(({ name }) => name);
    const outputs = Object.entries(make(kind, `${kind} with outputs`))
      .filter(([name, value]) => pulumi.Output.isInstance(value) && !/^(id|urn|__.*)$/.test(name))
      .map(([name]) => name);
    expect(outputs.sort()).toEqual([...fields, ...Object.keys(computed)].sort());
  });

  test("recognizes its own instances only", () => {
    const made = RESOURCE_TYPES.map((each) => [each, make(each, `${kind} or ${each}`)]);
    const values = [...made, ["Provider", new Provider(kind)], ["object", {}], ["text", "Pipe"], ["none"]];
    const known = values.filter(([, value]) => datapipes[kind].isInstance(value)).map(([name]) => name);
    expect(known).toEqual([kind]);
  });

  test("finds by id what this stack does not manage, and sends no key for it", async () => {
    const Class = datapipes[kind];
    const found = Class.get(`${kind} by id`, "an-id");
    const given = Class.get(`${kind} with args`, "an-id", { organizationId });
    const [byId, withArgs] = await registrationsOf(found, given);
    expect(await later(found.id)).toBe("an-id");
    expect(byId?.id).toBe("an-id");
    expect(withArgs).toMatchObject({ id: "an-id", inputs: { organizationId } });
    expect(withArgs?.inputs).not.toHaveProperty("__key");
  });

  test.each<[what: string, expected: boolean | undefined, policy: Policy, opts: Options]>([
    ["no policy", true, undefined, {}],
    ['"retain"', true, "retain", {}],
    ['"delete"', undefined, "delete", {}],
    ["a policy that becomes known later", undefined, pulumi.output("retain" as const), {}],
    ['"retain" and the option set to false', false, "retain", { retainOnDelete: false }],
    ['"delete" and the option set to true', true, "delete", { retainOnDelete: true }],
    ["the id of a resource that is only read", undefined, undefined, { id: "some-id" }],
  ])("for %s, has the option retainOnDelete %s", (what, expected, policy, opts) => {
    const transform = jest.fn<undefined, [pulumi.ResourceTransformationArgs]>();
    make(kind, `${kind} with ${what}`, { ...opts, transformations: [transform] }, policy);
    expect(transform.mock.calls.map(([seen]) => seen.opts.retainOnDelete)).toEqual([expected]);
  });

  test("refuses the option import, and names what works", () => {
    const imported = () => make(kind, "imported", { import: "some-id" });
    expect(imported).toThrow(pulumi.RunError);
    const option = "the resource option `import` and `pulumi import <type>` do not";
    expect(imported).toThrow(`${kind} "imported": ${option}`);
    expect(imported).toThrow(` Remove the option. ${definitionOf(kind).takeOver}`);
  });

  test("is registered when it is called without arguments, as JavaScript may do", async () => {
    const Untyped = datapipes[kind] as unknown as new (...given: unknown[]) => pulumi.CustomResource;
    const given = [[], [null, null], [undefined, {}]];
    const made = given.map((rest, index) => new Untyped(`${kind} ${index}`, ...rest));
    for (const [index, registration] of (await registrationsOf(...made)).entries())
      expect(registration?.inputs).toMatchObject({ __key: `${kind}::${kind} ${index}` });
  });
});

test("a resource leaves the options that it is given as they are", () => {
  const options = {};
  make("Pipe", "with options", options);
  expect(options).toEqual({});
});

test("Provider recognizes its own instances only", () => {
  expect(Provider.isInstance(new Provider("recognized"))).toBe(true);
  for (const value of [make("Pipe", "no provider"), {}, "Provider", undefined])
    expect(Provider.isInstance(value)).toBe(false);
});

test.each<[given: string, expected: string, name: pulumi.Input<string | undefined> | undefined]>([
  ["no name", "with no name", undefined],
  ["a name", "orders", "orders"],
  ["a name that becomes known later", "orders", pulumi.output("orders")],
  ["what turns out to be no name", "with what turns out to be no name", pulumi.output(undefined)],
])("a pipe whose program gives %s has the name %s", async (given, expected, name) => {
  expect(await later(new Pipe(`with ${given}`, { name, source }).name)).toBe(expected);
});

test.each<[what: string, secret: boolean, source: datapipes.PipeSourceArgs]>([
  ["credentials", true, { kafka: { credentials: { username: "u", password: "p" } } }],
  ["nothing that is secret", false, source],
  ["credentials that are left out", false, { kafka: { credentials: undefined } }],
])("of a pipe with %s, that the source is secret is %s", async (what, secret, source) => {
  expect(await pulumi.isSecret(new Pipe(`pipe with ${what}`, { source }).source)).toBe(secret);
});

test("an argument of a Provider wins over the configuration, also 0 and false", async () => {
  pulumi.runtime.setAllConfig({ "datapipes:maxRetries": "5", "datapipes:allowInsecure": "true" });
  const { settings } = new Provider("explicit", { maxRetries: 0, allowInsecure: false });
  const given = await later(settings);
  expect(given).toMatchObject({ "datapipes:maxRetries": "0", "datapipes:allowInsecure": "false" });
});

test("the settings of a Provider with a key secret are secret, and others are not", async () => {
  expect(await pulumi.isSecret(new Provider("plain", { apiKeySecret: "key" }).settings)).toBe(true);
  expect(await pulumi.isSecret(new Provider("id", { apiKeyId: "id" }).settings)).toBe(false);
});

test("the settings of a Provider are secret if it reads a secret of the configuration", async () => {
  pulumi.runtime.setAllConfig({ "datapipes:apiKeyId": "id" }, ["datapipes:apiKeyId"]);
  expect(await pulumi.isSecret(new Provider("configured", {}).settings)).toBe(true);
});
