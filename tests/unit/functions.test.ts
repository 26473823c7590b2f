import * as pulumi from "@pulumi/pulumi";
import type { PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";
import { summaryOf } from "../../provider/src/program/functions/pipe-summary";
import { QUERIES } from "../../provider/src/program/functions/queries";
import * as datapipes from "../../provider/src/index";
import { failureOf } from "../kit/client";
import { readDocument } from "../kit/documents";
import { organizationId, serviceId } from "../kit/lifecycle";
import { later, setMocks } from "./mocked-program";

type Name = Exclude<keyof typeof datapipes & `get${string}`, `${string}Output`>;
const ONE_OF_BOTH = "it requires exactly one of `id` and `name`.";
const ARGUMENTS = "id is not an argument; expected one of pipeId, organizationId, serviceId.";
const TEXT = "must be a string, got";
const FORM = "must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000, got";
const ID = "0a1b2c3d-0000-4000-8000-00000000aaaa";

test.each<[name: Name, given: unknown[], message: string]>([
  ["getPipe", [], ONE_OF_BOTH],
  ["getPipe", [{}], ONE_OF_BOTH],
  ["getPipe", [{ id: ID, name: "n" }], ONE_OF_BOTH],
  ["getPipe", [{ name: "" }], 'name must not be empty, got "".'],
  ["getPipe", [{ id: "orders" }], `id ${FORM} "orders".`],
  ["getPipe", [{ id: pulumi.output("i") }], `id ${TEXT} an object.`],
  ["getPipeSettings", [], "pipeId is required (string)."],
  ["getPipeSettings", [{ id: "i" }], `pipeId is required (string). ${ARGUMENTS}`],
  ["getPipes", [{ service_id: "s" }], 'service_id is not an argument; did you mean "serviceId"?'],
  ["getPipe", [{ nme: 7, id: 7 }], `id ${TEXT} 7. nme is not an argument; did you mean "name"?`],
  ["getBackups", [{ serviceId: {} }], `serviceId ${TEXT} an object.`],
  ["getPipes", [{}, { provider: {} }], "its option provider must be a Provider of this package."],
  ["getPipes", [{ organizationId: "acme" }], `organizationId ${FORM} "acme".`],
  ["getPipe", [{ id: ["hush"], name: {} }], `id ${TEXT} a list. name ${TEXT} an object.`],
])("%s of %j says what is wrong, and sends nothing", async (name, given, message) => {
  const call = datapipes[name] as (...given: unknown[]) => Promise<unknown>;
  const failure = await failureOf(call(...given));
  expect(failure.code).toBe("invalid-argument");
  expect(failure.message).toEqual(`${name} failed: ${message}`);
});

describe("under the mocks of a unit test, a data function", () => {
  const calls: pulumi.runtime.MockCallArgs[] = [];
  beforeAll(async () => {
    await setMocks({
      call: (args) => {
        calls.push(args);
        return { said: args.token };
      },
    });
    // Nothing listens at this address: a request would fail.
    const account = { apiKeyId: "id", apiKeySecret: "not-a-key", organizationId, serviceId, maxRetries: "0" };
    const settings = Object.entries({ ...account, baseUrl: "http://127.0.0.1:9" });
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, text]) => [`datapipes:${name}`, text])),
    );
  });
  afterAll(() => {
    pulumi.runtime.setAllConfig({});
  });

  const known = pulumi.output("later");

  type Form = keyof typeof datapipes & `get${string}`;
  const CALLS: { form: Form; args?: object; inputs: object }[] = [
    { form: "getPipes", inputs: {} },
    { form: "getPipes", args: { serviceId: "any" }, inputs: { serviceId: "any" } },
    { form: "getPipesOutput", args: { serviceId: known }, inputs: { serviceId: "later" } },
    { form: "getPipe", args: { name: "orders" }, inputs: { name: "orders" } },
    { form: "getPipeOutput", args: { id: known }, inputs: { id: "later" } },
    { form: "getPipeSettings", args: { pipeId: "any" }, inputs: { pipeId: "any" } },
    { form: "getPipeSettingsOutput", args: { pipeId: known }, inputs: { pipeId: "later" } },
    { form: "getBackups", inputs: {} },
    { form: "getBackupsOutput", inputs: {} },
  ];

  test.each(CALLS)("$form calls them with $inputs, and sends nothing", async ({ form, args, inputs }) => {
    calls.length = 0;
    const call = datapipes[form] as (args?: object) => pulumi.Input<unknown>;
    const token = `datapipes:index:${form.replace(/Output$/, "")}`;
    expect(await later(call(args))).toEqual({ said: token });
    expect(calls).toMatchObject([{ token, inputs }]);
  });

  test.each(Object.keys(QUERIES))("%s has both forms in the rows above, and is in README", (name) => {
    const forms = CALLS.map(({ form }) => form);
    expect(forms).toEqual(expect.arrayContaining([name, `${name}Output`]));
    expect(readDocument("README.md").inlineCode).toContain(name);
  });

  test("hands its provider to them", async () => {
    calls.length = 0;
    await datapipes.getPipes({}, { provider: new datapipes.Provider("eu") });
    expect(calls).toMatchObject([{ provider: expect.stringContaining("eu") as unknown }]);
  });
});

test("an Output of a function is unknown while a resource on which it depends is created", async () => {
  await setMocks({ newResource: ({ inputs }) => ({ id: undefined, state: inputs as object }) }, true);
  const dependsOn = [new datapipes.Pipe("new", { source: { kafka: {} } })];
  const pipes = datapipes.getPipesOutput({}, { dependsOn }) as unknown as { isKnown: Promise<boolean> };
  expect(await pipes.isKnown).toBe(false);
});

const pipe = { id: "id", serviceId: "s", name: "orders", state: "Running" };

const times = { createdAt: "", updatedAt: "" };
const empty = { destination: {}, fieldMappings: [], scaling: {}, settings: {}, ...times };
const kafka = { brokers: "b", offset: null, schemaRegistry: { url: "u", caCertificate: null } };
const table = { table: "t", tableDefinition: null, columns: [{ name: "a", type: null }] };
const objectStorage = { url: "u", connectionString: "hidden", accessKey: { secretKey: "k" } };

test.each<[claim: string, stated: PropertyMap, shown: object]>([
  [
    "has its one kind of source, and no nulls at any depth",
    { source: { kafka, objectStorage: null, kinesis: null }, destination: table },
    {
      source: { kafka: { brokers: "b", schemaRegistry: { url: "u" } } },
      destination: { table: "t", columns: [{ name: "a" }] },
    },
  ],
  [
    "has no kind without a value, and keeps unknown members",
    {
      source: { kafka: { brokers: "b" }, kinesis: { region: null }, postgres: {}, schedule: "hourly" },
      more: 1,
    },
    { source: { kafka: { brokers: "b" }, schedule: "hourly" }, more: 1 },
  ],
  ["keeps its one kind, also without a value", { source: { kafka: {} } }, { source: { kafka: {} } }],
  [
    "with a sparse answer has all its parts, without secrets",
    { source: { objectStorage }, scaling: null },
    { source: { objectStorage: { url: "u" } } },
  ],
])("the summary of a pipe %s", (_, stated, shown) => {
  expect(summaryOf({ ...pipe, ...stated })).toEqual({ ...pipe, ...empty, ...shown });
});

test("the API returns null for the end of a backup under way, and getBackups nothing", async () => {
  const backup = { id: "b", serviceId: "s", startedAt: "2026-01-31T00:00:00Z" };
  const items = [{ ...backup, finishedAt: null, bucket: { bucketPath: null } }];
  const connection = { client: { listBackups: () => Promise.resolve({ items }) }, scope: {} };
  expect(await QUERIES.getBackups(connection as never, {})).toEqual({
    backups: [{ ...backup, bucket: {} }],
  });
});
