import { leafFields } from "../../provider/src/core/fields";
import {
  allSettings,
  complete,
  endpointIds,
  pipesProgram,
  snakeCase,
  withValue,
  type Json,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";
import { pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { pipeFields } from "../../testkit/pipe-fields";
import { deployed } from "../../testkit/stack";

/** One changed field of a complete pipe. */
interface Case {
  kind: SourceKind;
  path: string;
  /** The new value. */
  to: Json;
  /** The bodies of the PATCHes that the provider sends for it. */
  bodies: JsonObject[];
}

/** The PATCH has the field and no other. */
const alone = (kind: SourceKind, path: string, to: Json): Case => ({
  kind,
  path,
  to,
  bodies: [withValue({}, path, to)],
});

const columns = [
  { name: "id", type: "UInt64" },
  { name: "note", type: "LowCardinality(String)" },
];
const mappings = [
  { sourceField: "$.key", destinationField: "id" },
  { sourceField: "$.note", destinationField: "note" },
];
const columnsOf = (kind: SourceKind) => (complete[kind]["destination"] as JsonObject)["columns"] ?? null;

/** The PATCH has both members of a credential, because the API replaces it as a whole. */
function credential(kind: SourceKind, path: string, member: string): Case {
  const name = path.split(".").pop() ?? "";
  const owner = (complete[kind]["source"] as JsonObject)[kind] as JsonObject;
  const changed = { ...(owner[name] as JsonObject), [member]: "changed" };
  return { kind, path: `${path}.${member}`, to: "changed", bodies: [withValue({}, path, changed)] };
}

/** The PATCH has the credentials too, because services test a changed connection. */
function connection(name: string, to: Json): Case {
  const { postgres } = complete.postgres["source"] as { postgres: JsonObject };
  const changed: JsonObject = { [name]: to, credentials: postgres["credentials"] ?? null };
  return {
    kind: "postgres",
    path: `source.postgres.${name}`,
    to,
    bodies: [{ source: { postgres: changed } }],
  };
}

/** The PATCH has the API's own name of the setting. */
function setting(name: string, value: number | boolean): Case {
  const to = typeof value === "boolean" ? !value : value + 1;
  return { kind: "kafka", path: `settings.${name}`, to, bodies: [{ settings: { [snakeCase(name)]: to } }] };
}

const kinds: SourceKind[] = ["kafka", "objectStorage", "kinesis", "postgres"];

const cases: Case[] = [
  ...kinds.flatMap((kind) => [
    alone(kind, "name", `${kind}-renamed`),
    { kind, path: "destination.columns", to: columns, bodies: [{ destination: { columns } }] },
    {
      kind,
      path: "fieldMappings",
      to: mappings,
      bodies: [{ destination: { columns: columnsOf(kind) }, fieldMappings: mappings }],
    },
    { kind, path: "deletionPolicy", to: "delete", bodies: [] },
  ]),
  alone("kafka", "source.kafka.iamRole", "changed"),
  alone("kafka", "source.kafka.caCertificate", "changed"),
  alone("kafka", "source.kafka.reversePrivateEndpointIds", endpointIds.slice(1)),
  credential("kafka", "source.kafka.credentials", "password"),
  alone("objectStorage", "source.objectStorage.iamRole", "changed"),
  alone("objectStorage", "source.objectStorage.connectionString", "AccountName=changed"),
  alone("objectStorage", "source.objectStorage.path", "changed/**"),
  alone("objectStorage", "source.objectStorage.azureContainerName", "changed"),
  credential("objectStorage", "source.objectStorage.accessKey", "secretKey"),
  alone("kinesis", "source.kinesis.iamRole", "changed"),
  credential("kinesis", "source.kinesis.accessKey", "accessKeyId"),
  connection("host", "changed.example"),
  connection("port", 6543),
  connection("database", "changed"),
  alone("postgres", "source.postgres.settings.syncIntervalSeconds", 90),
  alone("postgres", "source.postgres.settings.pullBatchSize", 9000),
  credential("postgres", "source.postgres.credentials", "username"),
  ...Object.entries(allSettings).map(([name, value]) => setting(name, value)),
];

const nameOf = ({ kind, path }: Case): string => `${kind} ${path}`;

/** The bodies of the PATCHes that each pipe got, by the pipe's logical name. Another kind of write fails the test. */
function patches(simulator: Simulator, names: Map<string, string>): Record<string, Json[]> {
  const bodies: Record<string, Json[]> = {};
  for (const { method, path, body } of takeWrites(simulator)) {
    expect(method).toBe("PATCH");
    (bodies[names.get(path) ?? path] ??= []).push(body);
  }
  return bodies;
}

/** The logical name of each pipe by its path, before an update renames the pipe. */
function namesByPath(simulator: Simulator): Map<string, string> {
  return new Map(simulator.control.state().pipes.map(({ id, name }) => [`/pipes/${id}`, name]));
}

/** A pipe with all fields but `validateSamples`, which the provider would send along with every update. */
const declaredFor = ({ kind }: Case): JsonObject =>
  withValue(complete[kind], "source.validateSamples", undefined);

test("has a case for each field whose change updates the pipe", () => {
  const paths = cases.map(({ path }) => path);
  const missing = leafFields(pipeFields).filter(
    ({ onChange, displayPath }) =>
      onChange === "update" && !paths.some((path) => `${path}.`.startsWith(`${displayPath}.`)),
  );
  // table-mappings.test.ts tests these.
  expect(missing.map(({ displayPath }) => displayPath)).toEqual(["source.postgres.tableMappings"]);
});

test("sends each changed field in one PATCH, with the fields that must be sent along", async () => {
  const declared = Object.fromEntries(cases.map((entry) => [nameOf(entry), declaredFor(entry)]));
  const changed = Object.fromEntries(
    cases.map((entry) => [nameOf(entry), withValue(declaredFor(entry), entry.path, entry.to)]),
  );
  const { simulator, stack } = await deployed(pipesProgram(declared));
  const names = namesByPath(simulator);
  takeWrites(simulator);

  await stack.write(pipesProgram(changed));
  const preview = await stack.preview();
  expect(preview.output).toContain(`${cases.length} to update`);
  expect(takeWrites(simulator)).toEqual([]);
  await stack.up();

  const expected = cases
    .filter(({ bodies }) => bodies.length > 0)
    .map((entry) => [nameOf(entry), entry.bodies]);
  expect(patches(simulator, names)).toEqual(Object.fromEntries(expected));

  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await stack.preview({ expectNoChanges: true });
});

test("sends no PATCH for validateSamples alone", async () => {
  const { simulator, stack } = await deployed(pipesProgram(complete));
  takeWrites(simulator);
  const changed = kinds.map((kind) => {
    const { validateSamples } = complete[kind]["source"] as JsonObject;
    return [kind, withValue(complete[kind], "source.validateSamples", validateSamples !== true)] as const;
  });
  await stack.write(pipesProgram(Object.fromEntries(changed)));
  await stack.preview({ expectNoChanges: true });
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
});

test("sends validateSamples along with an update of another field", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: complete.kafka }));
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: withValue(complete.kafka, "name", "renamed") }));
  await stack.up();
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([
    { name: "renamed", source: { validateSamples: true } },
  ]);
});

const optional: [SourceKind, string][] = [
  ["kafka", "source.kafka.caCertificate"],
  ["kafka", "settings.dbmsMaxThreads"],
  ["kafka", "settings"],
  ["kafka", "source.kafka.credentials"],
  ["objectStorage", "source.objectStorage.path"],
  ["kinesis", "source.kinesis.iamRole"],
  ["postgres", "source.postgres.settings.pullBatchSize"],
];

test("keeps a field that is no longer declared, and warns once", async () => {
  const declared = optional.map(([kind, path]) => [`${kind} ${path}`, complete[kind]] as const);
  const fewer = optional.map(
    ([kind, path]) => [`${kind} ${path}`, withValue(complete[kind], path, undefined)] as const,
  );
  const { simulator, stack } = await deployed(pipesProgram(Object.fromEntries(declared)));
  takeWrites(simulator);

  await stack.write(pipesProgram(Object.fromEntries(fewer)));
  const preview = await stack.preview();
  for (const [, path] of optional)
    expect(preview.output).toMatch(new RegExp(`${path.replaceAll(".", "\\.")}\\b.*no way to`));
  const { output } = await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  for (const [, path] of optional)
    expect(output).toMatch(new RegExp(`${path.replaceAll(".", "\\.")}\\b.*no way to`));

  const again = await stack.preview({ expectNoChanges: true });
  expect(again.output).not.toContain("no way to");
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
});

test("leaves the server with the declared values after an update", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: complete.kafka }));
  const changes: [string, Json][] = [
    ["source.kafka.iamRole", "another-role"],
    ["source.kafka.credentials.password", "another-password"],
    ["settings.dbmsMaxThreads", 16],
    ["destination.columns", columns],
  ];
  const changed = changes.reduce((args, [path, value]) => withValue(args, path, value), complete.kafka);
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: changed }));
  await stack.up();

  expect(takeWrites(simulator)).toHaveLength(1);
  expect(pipeNamed(simulator, "orders")).toMatchObject({
    source: { kafka: { iamRole: "another-role", topics: "orders,returns" } },
    destination: { columns, table: "events" },
    settings: { dbms_max_threads: 16, dbms_max_insert_threads: 2 },
  });
  const digests = simulator.control.state().pipes[0]?.credentialsDigest ?? {};
  const credentials = { username: "kafka-user", password: "another-password" };
  expect(digests["source.kafka.credentials"]).toBe(simulator.control.digest(credentials));
});
