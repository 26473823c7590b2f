import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import {
  complete,
  creationBody,
  minimal,
  withValue,
  type Json,
  type JsonObject,
} from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { online, partOf, settled, up, type Online } from "../../../testkit/online";

const orders: JsonObject = { name: "orders", ...minimal.kafka };
const table = (sourceTable: string, targetTable = sourceTable): JsonObject => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
});
const copy: JsonObject = { name: "copy", ...minimal.postgres };
const tables = (...list: Json[]): JsonObject =>
  withValue({ ...copy, name: "copy" }, "source.postgres.tableMappings", list);

/** The bodies of the requests that a change of the program sends. */
async function sentFor(run: Online, before: JsonObject, after: JsonObject): Promise<Json[]> {
  const deployed = await up(run, before);
  takeWrites(run.simulator);
  run.lines.length = 0;
  await up(run, after, deployed);
  return takeWrites(run.simulator).map(({ body }) => body);
}

const columns = [{ name: "id", type: "UInt64" }];
const mappings = [{ sourceField: "$.id", destinationField: "id" }];
const mapped = { ...orders, destination: { table: "few", columns }, fieldMappings: mappings };
const renamedField = [{ sourceField: "$.key", destinationField: "id" }];

const postgres = { name: "orders", ...complete.postgres };
const { credentials: login } = (complete.postgres["source"] as { postgres: JsonObject }).postgres;

test.each<[what: string, before: JsonObject, after: JsonObject, bodies: Json[]]>([
  ...["host", "port", "database"].map((name): [string, JsonObject, JsonObject, Json[]] => {
    const other = name === "port" ? 6543 : `other.${name}`;
    const after = withValue(postgres, `source.postgres.${name}`, other);
    const body = {
      source: { postgres: { [name]: other, credentials: login ?? null }, validateSamples: true },
    };
    return [
      `the ${name} of a postgres source, with the credentials that the service tests it with`,
      postgres,
      after,
      [body],
    ];
  }),
  ["a name", orders, { ...orders, name: "renamed" }, [{ name: "renamed" }]],
  [
    "what is sent along, only with another change",
    orders,
    withValue({ ...orders, name: "renamed" }, "source.validateSamples", true),
    [{ name: "renamed", source: { validateSamples: true } }],
  ],
  [
    "what is sent along, without another change",
    orders,
    withValue(orders, "source.validateSamples", true),
    [],
  ],
  [
    "field mappings, with the declared columns",
    mapped,
    { ...mapped, fieldMappings: renamedField },
    [{ fieldMappings: renamedField, destination: { columns } }],
  ],
  [
    "columns, without the field mappings",
    mapped,
    withValue(mapped, "destination.columns.0.type", "String"),
    [{ destination: { columns: [{ name: "id", type: "String" }] } }],
  ],
  [
    "columns and field mappings",
    mapped,
    { ...withValue(mapped, "destination.columns.0.type", "String"), fieldMappings: renamedField },
    [{ fieldMappings: renamedField, destination: { columns: [{ name: "id", type: "String" }] } }],
  ],
  [
    "table mappings that come",
    tables(table("a")),
    tables(table("a"), table("b")),
    [{ source: { postgres: { tableMappingsToAdd: [table("b")] } } }],
  ],
  [
    "table mappings that go and come",
    tables(table("a"), { ...table("b"), sortingKeys: ["id"], useCustomSortingKey: true }),
    tables(table("a"), table("c")),
    [{ source: { postgres: { tableMappingsToAdd: [table("c")], tableMappingsToRemove: [table("b")] } } }],
  ],
  [
    "another mapping of one source table, after the first is gone",
    tables(table("a"), table("b")),
    withValue(
      { ...tables(table("a"), table("b", "other"), table("c")), name: "renamed" },
      "source.validateSamples",
      false,
    ),
    [
      {
        name: "renamed",
        source: {
          postgres: { tableMappingsToAdd: [table("c")], tableMappingsToRemove: [table("b")] },
          validateSamples: false,
        },
      },
      { source: { postgres: { tableMappingsToAdd: [table("b", "other")] }, validateSamples: false } },
    ],
  ],
])("an update sends no more than %s", async (_, before, after, bodies) => {
  const run = await online(pipeDefinition);
  expect(await sentFor(run, before, after)).toEqual(bodies);
});

test("sends field mappings with the service's columns where the program declares none", async () => {
  const run = await online(pipeDefinition);
  const id = run.simulator.control.seedPipes([creationBody("orders", mapped)])[0]?.id ?? "";
  run.simulator.control.editPipe(id, {
    destination: { columns: [{ name: "id", type: "UInt64", comment: "of the server" }] },
  });
  const undeclared = { ...orders, fieldMappings: mappings, adopt: id };
  const before = await up(run, undeclared);
  takeWrites(run.simulator);
  await up(run, { ...undeclared, fieldMappings: renamedField }, before);
  expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([
    { fieldMappings: renamedField, destination: { columns } },
  ]);
});

test("sends field mappings without columns where neither the program nor the service has them", async () => {
  const run = await online(pipeDefinition);
  const before = await up(run, orders);
  takeWrites(run.simulator);
  const known = { ...before.outputs, observed: {} };
  const work = up(run, { ...orders, fieldMappings: renamedField }, { ...before, outputs: known });
  await expect(work).rejects.toMatchObject({ code: "bad-request" });
  expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([{ fieldMappings: renamedField }]);
});

test("keeps a table mapping out of the state when the second of two requests fails", async () => {
  const run = await online(pipeDefinition);
  const deployed = await up(run, tables(table("a"), table("b")));
  takeWrites(run.simulator);
  const after = tables(table("a"), table("b", "other"), table("c"));
  run.simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400, after: 1 });
  const { id, outputs } = await partOf(up(run, after, deployed));
  expect(id).toBe(deployed.id);
  expect(outputs).toMatchObject({
    source: { postgres: { tableMappings: [table("a"), table("c")] } },
    observed: { source: { postgres: { tableMappings: [table("a"), table("c")] } } },
  });

  takeWrites(run.simulator);
  await up(run, after, { id, outputs });
  expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([
    { source: { postgres: { tableMappingsToAdd: [table("b", "other")] } } },
  ]);
});

test("keeps the old state when the only request fails", async () => {
  const run = await online(pipeDefinition);
  const deployed = await up(run, orders);
  run.simulator.control.fault({ operationId: "updatePipe", kind: "status", status: 400 });
  await expect(up(run, { ...orders, name: "renamed" }, deployed)).rejects.toMatchObject({
    code: "bad-request",
  });
});

test("a text with characters that control a terminal is not taken for an ignored one", async () => {
  const run = await online(pipeDefinition);
  const deployed = await up(run, orders);
  run.lines.length = 0;
  await up(run, { ...orders, name: "or\u202eders" }, deployed);
  expect(run.lines).toEqual([]);
});

describe("settings", () => {
  const four: JsonObject = { ...orders, settings: { dbmsMaxThreads: 4 } };
  const five: JsonObject = { ...orders, settings: { dbmsMaxThreads: 5 } };

  test("are read back, so that the state has the service's values", async () => {
    const run = await online(pipeDefinition, { ignoreSettings: true });
    const deployed = await up(run, four);
    run.lines.length = 0;
    const { outputs } = await up(run, five, deployed);
    expect(outputs).toMatchObject({
      settings: { dbmsMaxThreads: 5 },
      observed: { settings: { dbmsMaxThreads: 4 } },
    });
    expect(run.lines).toEqual([
      `warning: pipe "orders" (${deployed.id}): settings.dbmsMaxThreads was sent as 5, but the API returned 4. The service may have ignored the value.`,
    ]);
  });

  test("are read back also when other fields change", async () => {
    const run = await online(pipeDefinition);
    const deployed = await up(run, four);
    run.simulator.control.clearRequests();
    await up(run, { ...five, name: "renamed" }, deployed);
    const operations = run.simulator.control.requests().map(({ operationId }) => operationId);
    expect(operations).toEqual(["updatePipe", "getPipeSettings"]);
  });

  test("are not read when only other fields change", async () => {
    const run = await online(pipeDefinition);
    const deployed = await up(run, four);
    run.simulator.control.clearRequests();
    await up(run, { ...four, name: "renamed" }, deployed);
    expect(run.simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["updatePipe"]);
  });

  test("that cannot be read back cause a warning, and the update succeeds", async () => {
    const run = await online(pipeDefinition);
    const deployed = await up(run, four);
    run.lines.length = 0;
    run.simulator.control.fault({ operationId: "getPipeSettings", kind: "status", status: 500 });
    const { outputs } = await up(run, five, deployed);
    expect(run.lines).toEqual([
      expect.stringContaining(
        `warning: pipe ${deployed.id}: the provider sent the settings, but could not read them back (status 500).`,
      ),
    ]);
    expect(outputs).toMatchObject({ settings: { dbmsMaxThreads: 5 } });
  });

  test("come from the answer of updatePipe where getPipeSettings returns 404", async () => {
    const run = await online(pipeDefinition);
    const deployed = await up(run, four);
    run.simulator.control.fault({ operationId: "getPipeSettings", kind: "status", status: 404 });
    const { outputs } = await up(run, five, deployed);
    expect(outputs).toMatchObject({ settings: { dbmsMaxThreads: 5 } });
    expect(outputs).not.toHaveProperty("observed.settings.dbmsMaxThreads");
  });
});

test.each(["kafka", "objectStorage", "kinesis", "postgres"] as const)(
  "a complete pipe of %s is created with all that the program declares, and a second `up` finds nothing to do",
  async (kind) => {
    const run = await online(pipeDefinition, { nulls: true });
    const args = { name: kind, ...complete[kind], deletionPolicy: "retain", replacementPolicy: "allow" };
    const deployed = await up(run, args);
    const [create] = takeWrites(run.simulator);
    const { settings: _, ...rest } = complete[kind];
    expect(create).toMatchObject({ method: "POST", path: "/pipes", body: { name: kind, ...rest } });
    for (const name of ["organizationId", "serviceId", "deletionPolicy", "replacementPolicy"])
      expect(create?.body).not.toHaveProperty(name);
    expect(await up(run, args, deployed)).toBe(deployed);
    const read = await run.lifecycle.read(deployed.id, deployed.outputs);
    expect(read?.outputs).toEqual(settled(deployed.outputs));
    expect(JSON.stringify(deployed.outputs["observed"])).not.toMatch(/credentials|accessKey|validateSamples/);
    expect(run.lines).toEqual([]);
  },
);

test("keeps credentials that a service returns out of `observed`", async () => {
  const run = await online(pipeDefinition);
  const deployed = await up(run, orders);
  run.simulator.control.editPipe(deployed.id, {
    credentials: "of another kind",
    source: {
      kafka: { credentials: { username: "u", password: "p" }, accessKey: {} },
      validateSamples: true,
    },
  });
  const read = await run.lifecycle.read(deployed.id, deployed.outputs);
  expect(read?.outputs["observed"]).toMatchObject({ credentials: "of another kind" });
  const { source } = read?.outputs["observed"] as { source: JsonObject };
  expect(Object.keys(source)).toEqual(["kafka"]);
  // The program declares the brokers and the topics, so nothing repeats them.
  expect(Object.keys(source["kafka"] ?? {})).toEqual(["consumerGroup"]);
});

test("a refresh removes a deleted pipe from the state", async () => {
  const run = await online(pipeDefinition);
  const { id, outputs } = await up(run, orders);
  run.simulator.control.deletePipe(id);
  expect(await run.lifecycle.read(id, outputs)).toBeUndefined();
});
