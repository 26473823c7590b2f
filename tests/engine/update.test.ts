import { expectNoChanges, expectNoWrites, pipeNames, writesByPipe } from "./expectations";
import { changesOf } from "../../testkit/pipe-field-table";
import {
  complete,
  minimal,
  pipesProgram,
  withValue,
  type Json,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";
import { planOf } from "../../testkit/plan";
import { newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { deployed } from "../../testkit/stack";

/** A pipe whose declaration changes. */
interface Change {
  from: JsonObject;
  to: JsonObject;
  /** The bodies of the PATCHes that the provider sends for it. */
  bodies: readonly Json[];
  /** Whether the change is no difference, which a preview does not show. */
  isEqual?: boolean;
}

const kinds = Object.keys(complete) as SourceKind[];
const samples = "source.validateSamples";

/** A pipe with all fields but `validateSamples`, which the provider would send along with every update. */
const declaredFor = (kind: SourceKind): JsonObject => withValue(complete[kind], samples, undefined);

/** Every field that can be changed in place, and those that the provider alone uses; the tests of adoption have `adopt`. */
const fields = kinds
  .flatMap(changesOf)
  .filter(({ onChange, path }) => ["update", "providerOnly"].includes(onChange) && path !== "adopt")
  .map(({ kind, path, to, bodies }): [string, Change] => {
    const from = declaredFor(kind);
    return [`${kind} ${path}`, { from, to: withValue(from, path, to), bodies }];
  });

const accompanied = kinds.map((kind): [string, Change] => {
  const { validateSamples } = complete[kind]["source"] as JsonObject;
  const to = withValue(complete[kind], samples, validateSamples !== true);
  return [`${kind} ${samples}`, { from: complete[kind], to, bodies: [], isEqual: true }];
});

const mapping = (sourceTable: string, targetTable = sourceTable, more: JsonObject = {}): JsonObject => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
  ...more,
});
const [orders, returns, refunds] = [mapping("orders"), mapping("returns"), mapping("refunds")];
const excluding = mapping("orders", "orders", { excludedColumns: ["internal"] });
const elsewhere = mapping("orders", "orders_2");

const add = (...mappings: JsonObject[]): JsonObject => ({ tableMappingsToAdd: mappings });
const remove = (...mappings: JsonObject[]): JsonObject => ({ tableMappingsToRemove: mappings });

/** What the mappings of tables are, what they become, and the PATCHes: never both of one source table in one. */
const mappings = (
  [
    ["one is added", [orders], [orders, returns], add(returns)],
    ["one is removed", [orders, returns], [orders], remove(returns)],
    ["the order changes", [orders, returns], [returns, orders]],
    ["another field changes", [orders, returns], [excluding, returns], remove(orders), add(excluding)],
    ["one has another target", [orders, returns], [elsewhere, returns], remove(orders), add(elsewhere)],
    [
      "one is added and one removed",
      [orders, returns],
      [orders, refunds],
      { ...add(refunds), ...remove(returns) },
    ],
  ] satisfies [string, Json[], Json[], ...JsonObject[]][]
).map(([what, before, after, ...bodies]): [string, Change] => {
  const pipe = (list: JsonObject[]): JsonObject =>
    withValue(minimal.postgres, "source.postgres.tableMappings", list);
  const sent = bodies.map((postgres) => ({ source: { postgres } }));
  return [what, { from: pipe(before), to: pipe(after), bodies: sent, isEqual: sent.length === 0 }];
});

/** Optional fields that the program no longer declares. */
const undeclared: [SourceKind, string][] = [
  ["kafka", "source.kafka.caCertificate"],
  ["kafka", "settings.dbmsMaxThreads"],
  ["kafka", "settings"],
  ["kafka", "source.kafka.credentials"],
  ["objectStorage", "source.objectStorage.path"],
  ["kinesis", "source.kinesis.iamRole"],
  ["postgres", "source.postgres.settings.pullBatchSize"],
];

const severalCredentials = { username: "kafka-user", password: "another-password" };
const several: JsonObject = {
  name: "several",
  source: { kafka: { iamRole: "another-role", credentials: severalCredentials } },
  settings: { dbms_max_threads: 16 },
};

const changes: Record<string, Change> = {
  ...Object.fromEntries([...fields, ...accompanied, ...mappings]),
  ...Object.fromEntries(
    undeclared.map(([kind, path]) => [
      `without ${path}`,
      { from: complete[kind], to: withValue(complete[kind], path, undefined), bodies: [] },
    ]),
  ),
  accompanied: {
    from: complete.kafka,
    to: withValue(complete.kafka, "name", "renamed"),
    bodies: [{ name: "renamed", source: { validateSamples: true } }],
  },
  several: {
    from: { ...declaredFor("kafka"), name: "before" },
    to: {
      ...withValue(
        withValue(declaredFor("kafka"), "source.kafka.credentials", severalCredentials),
        "source.kafka.iamRole",
        "another-role",
      ),
      settings: { ...(complete.kafka["settings"] as JsonObject), dbmsMaxThreads: 16 },
      name: "several",
    },
    bodies: [several],
  },
};

const programOf = (which: "from" | "to"): string =>
  pipesProgram(Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[which]])));

const namesWhere = (matches: (change: Change) => boolean): string[] =>
  Object.entries(changes).flatMap(([name, change]) => (matches(change) ? [name] : []));

/** With so many resources a write of the state takes long: the engine writes it at the end of a run. */
const WRITTEN_ONCE = { PULUMI_SKIP_CHECKPOINTS: "true" };

test("sends changed fields alone, with what must be sent along; keeps a field that is no longer declared, and warns once", async () => {
  const { simulator, stack } = await deployed(programOf("from"), { env: WRITTEN_ONCE });
  const names = new Map(
    [...pipeNames(simulator)].map(([id, name]) => [id, name === "before" ? "several" : name]),
  );
  simulator.control.clearRequests();

  await stack.write(programOf("to"));
  const { steps, lines } = await planOf(stack);
  const updated = namesWhere(({ isEqual }) => isEqual !== true);
  expect(steps).toEqual(Object.fromEntries(updated.map((name) => [name, ["update"]])));
  expect(simulator.control.requests()).toEqual([]);
  const { output } = await stack.up();
  for (const text of [lines.join("\n"), output])
    for (const [, path] of undeclared)
      expect(text).toMatch(new RegExp(`${path.replaceAll(".", "\\.")}\\b.*no way to`));
  const expected = namesWhere(({ bodies }) => bodies.length > 0).map((name) => [
    name,
    changes[name]?.bodies.map((body) => ["PATCH", body]),
  ]);
  expect(writesByPipe(simulator, names)).toEqual(Object.fromEntries(expected));

  const again = await stack.preview({ expectNoChanges: true });
  expect(again.output).not.toContain("no way to");
  await stack.refresh();
  await expectNoChanges(stack);
  expectNoWrites(simulator);
  expect(pipeNamed(simulator, "several")).toMatchObject({
    source: { kafka: { iamRole: "another-role", topics: "orders,returns" } },
    destination: { table: "events" },
    settings: { dbms_max_threads: 16, dbms_max_insert_threads: 2 },
    credentialsDigest: { "source.kafka.credentials": simulator.control.digest(severalCredentials) },
  });
});

test("reads settings back after an update, and warns with both values of those that the service did not take", async () => {
  const declared = { orders: complete.kafka, clicks: complete.kinesis, replica: complete.postgres };
  const { simulator, stack } = await deployed(pipesProgram(declared), {
    simulator: await newSimulator({ ignoreSettings: true }),
  });
  takeWrites(simulator);
  const changed = {
    orders: withValue(
      withValue(complete.kafka, "settings.dbmsMaxThreads", 13),
      "source.kafka.iamRole",
      "another",
    ),
    clicks: withValue(complete.kinesis, "source.kinesis.iamRole", "another"),
    replica: { ...complete.postgres, settings: { dbmsMaxThreads: 13 } },
  };
  await stack.write(pipesProgram(changed));
  const { output } = await stack.up();
  expect(output).toMatch(/settings\.dbmsMaxThreads was sent as 13, but the API returned 6/);
  expect(output.match(/but the API returned/g)?.length).toBe(
    output.match(/settings\.dbmsMaxThreads was sent/g)?.length,
  );
  const requests = simulator.control.requests().map(({ operationId, status }) => `${operationId} ${status}`);
  const update = "updatePipe 200";
  expect(requests.sort()).toEqual(["getPipeSettings 200", "getPipeSettings 404", update, update, update]);
  await expectNoChanges(stack);
});
