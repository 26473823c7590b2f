import type { Field } from "../../provider/src/lifecycle/fields";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { snakeCase, withValue, type Json, type JsonObject } from "./json";

export type SourceKind = "kafka" | "objectStorage" | "kinesis" | "postgres";
export const KINDS: readonly SourceKind[] = ["kafka", "objectStorage", "kinesis", "postgres"];

export type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

/**
 * A field by its path (`[]` for the elements of a list), its type, what a change of it does, and what else is true of it; then its value in
 * a complete pipe and another value, for each field that is compared as a whole.
 */
export type FieldRow = [
  path: string,
  type: string,
  onChange: OnChange,
  flags: string,
  value?: Json | undefined,
  to?: Json,
];

const under = (owner: string, rows: readonly FieldRow[]): FieldRow[] =>
  rows.map(([path, ...row]) => [`${owner}.${path}`, ...row]);

type Texts = Readonly<Record<string, string>>;

/** A credential, and its two members, of which one is changed. */
function pair(path: string, onChange: OnChange, value: Texts, change: Texts): FieldRow[] {
  const members = Object.keys(value).map((name): FieldRow => {
    return [`${path}.${name}`, "string", onChange, "required secret write-only"];
  });
  return [[path, "object", onChange, "secret write-only", value, { ...value, ...change }], ...members];
}

export const endpointIds = ["3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a02"];

const registryUser = { username: "registry-user", password: "registry-password" };
const kafkaUser = { username: "kafka-user", password: "kafka-password" };

const kafka: FieldRow[] = [
  ["brokers", "string", "replace", "", "b-1.example:9092", "b-2.example:9092"],
  ["topics", "string", "replace", "", "orders,returns", "other"],
  ["consumerGroup", "string", "replace", "", "loader", "other"],
  ["iamRole", "string", "update", "", "role-of-kafka", "changed"],
  ["offset", "object", "replace", ""],
  ["offset.timestamp", "string", "replace", "required", "2026-01-31T00:00", "2026-02-28T23:59"],
  ["schemaRegistry", "object", "replace", ""],
  ["schemaRegistry.url", "string", "replace", "", "https://registry.example", "https://other.example"],
  ["schemaRegistry.caCertificate", "string", "replace", "", "registry-certificate", "other"],
  ...pair("schemaRegistry.credentials", "replace", registryUser, { password: "other-password" }),
  ["caCertificate", "string", "update", "", "kafka-certificate", "changed"],
  ["reversePrivateEndpointIds", "list of string", "update", "set", endpointIds, endpointIds.slice(1)],
  ...pair("credentials", "update", kafkaUser, { password: "other-password" }),
];

const connection = "AccountName=demo;AccountKey=storage-account-key";
const storageKey = { accessKeyId: "storage-key-id", secretKey: "storage-secret-key" };

const objectStorage: FieldRow[] = [
  ["url", "string", "replace", "", "https://bucket.example/*.csv", "https://other.example/*"],
  ["delimiter", "string", "replace", "", ";", ","],
  ["compression", "string", "replace", "", "gzip", "zstd"],
  ["isContinuous", "boolean", "replace", "", true, false],
  ["queueUrl", "string", "replace", "", "https://queue.example/files", "https://queue.example/other"],
  ["iamRole", "string", "update", "", "role-of-storage", "changed"],
  ["connectionString", "string", "update", "secret", connection, "AccountName=changed"],
  ["path", "string", "update", "", "2026/**.csv", "changed/**"],
  ["azureContainerName", "string", "update", "", "container", "changed"],
  ...pair("accessKey", "update", storageKey, { secretKey: "other-secret-key" }),
];

const kinesisKey = { accessKeyId: "kinesis-key-id", secretKey: "kinesis-secret-key" };

const kinesis: FieldRow[] = [
  ["streamName", "string", "replace", "", "clicks", "other"],
  ["region", "string", "replace", "", "eu-central-1", "eu-west-1"],
  ["useEnhancedFanOut", "boolean", "replace", "", true, false],
  ["timestamp", "integer", "replace", "", 1_760_000_000, 1_770_000_000],
  ["iamRole", "string", "update", "", "role-of-kinesis", "changed"],
  ...pair("accessKey", "update", kinesisKey, { accessKeyId: "other-key-id" }),
];

export const postgresUser = { username: "postgres-user", password: "postgres-password" };
export const identity = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const returns = { sourceSchemaName: "public", sourceTable: "returns", targetTable: "returns" };
const sorted = { useCustomSortingKey: true, sortingKeys: ["id"] };
const mapping = { ...identity, excludedColumns: ["internal"], ...sorted };
export const changedMapping = { ...mapping, excludedColumns: ["internal", "comment"] };
const byTables = "set by sourceSchemaName+sourceTable+targetTable";

const postgres: FieldRow[] = [
  ["host", "string", "update", "", "db.example", "changed.example"],
  ["port", "integer", "update", "", 5433, 6543],
  ["database", "string", "update", "", "shop", "changed"],
  ["settings", "object", "replace", ""],
  ["settings.syncIntervalSeconds", "integer", "update", "", 30, 90],
  ["settings.pullBatchSize", "integer", "update", "", 5000, 9000],
  ["settings.publicationName", "string", "replace", "", "publication", "other"],
  ["settings.replicationSlotName", "string", "replace", "", "slot", "other"],
  ["settings.allowNullableColumns", "boolean", "replace", "", true, false],
  ["settings.initialLoadParallelism", "integer", "replace", "", 2, 8],
  ["settings.snapshotNumRowsPerPartition", "integer", "replace", "", 1000, 8],
  ["settings.snapshotNumberOfParallelTables", "integer", "replace", "", 3, 8],
  ["settings.enableFailoverSlots", "boolean", "replace", "", true, false],
  ["tableMappings", "list of object", "update", byTables, [mapping, returns], [changedMapping, returns]],
  ["tableMappings[].sourceSchemaName", "string", "update", "required"],
  ["tableMappings[].sourceTable", "string", "update", "required"],
  ["tableMappings[].targetTable", "string", "update", "required"],
  ["tableMappings[].excludedColumns", "list of string", "update", "set"],
  ["tableMappings[].useCustomSortingKey", "boolean", "update", ""],
  ["tableMappings[].sortingKeys", "list of string", "update", ""],
  ...pair("credentials", "update", postgresUser, { username: "other-user" }),
];

const idColumn = { name: "id", type: "UInt64" };
export const columns = [idColumn, { name: "note", type: "String" }];
const changedColumns = [idColumn, { name: "note", type: "LowCardinality(String)" }];

const destination: FieldRow[] = [
  ["database", "string", "replace", "", "shop", "other"],
  ["table", "string", "replace", "", "events", "other"],
  ["managedTable", "boolean", "replace", "", true, false],
  ["tableDefinition", "object", "replace", ""],
  ["tableDefinition.engine", "object", "replace", ""],
  ["tableDefinition.engine.versionColumnId", "string", "replace", "", "id", "note"],
  ["tableDefinition.engine.columnIds", "list of string", "replace", "", ["id", "note"], ["note"]],
  ["tableDefinition.sortingKey", "list of string", "replace", "", ["id"], ["note"]],
  ["tableDefinition.partitionBy", "string", "replace", "", "note", "id"],
  ["tableDefinition.primaryKey", "string", "replace", "", "id", "note"],
  ["columns", "list of object", "update", "set by name", columns, changedColumns],
  ["columns[].name", "string", "update", "required"],
  ["columns[].type", "string", "update", "required"],
  ["roles", "list of string", "replace", "write-only set", ["loader", "reader"], ["other"]],
];

const mapped = (sourceField: string, destinationField: string) => ({ sourceField, destinationField });
const fieldMappings = [mapped("$.id", "id"), mapped("$.note", "note")];
const changedMappings = [mapped("$.id", "id"), mapped("$.key", "note")];
const byFields = "set by sourceField+destinationField";

const scaling: FieldRow[] = [
  ["replicas", "integer", "replace", "", 2, 3],
  ["concurrency", "integer", "replace", "", 3, 4],
  ["replicaCpuMillicores", "integer", "replace", "", 500, 1000],
  ["replicaMemoryGb", "number", "replace", "", 1.5, 2.5],
];

/** Every setting of a pipe, none with the value that the simulator would fill in. */
const allSettings = {
  streamingMaxInsertWaitMs: 4000,
  objectStorageConcurrency: 3,
  objectStoragePollingIntervalMs: 250,
  objectStorageMaxInsertBytes: 1_000_000_000,
  objectStorageMaxFileCount: 40,
  dbmsMaxThreads: 6,
  dbmsMaxInsertThreads: 2,
  dbmsMinInsertBlockSizeBytes: 500_000_000,
  dbmsMaxDownloadThreads: 5,
  dbmsParallelDistributedInsertSelect: 1,
  objectStorageUseClusterFunction: false,
  dbmsParallelViewProcessing: true,
};

const settings = Object.entries(allSettings).map(([name, value]): FieldRow =>
  typeof value === "number"
    ? [name, "integer", "update", "", value, value + 1]
    : [name, "boolean", "update", "", value, !value],
);

const anotherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** The contract of a pipe's fields, written by hand from the API document: the schema must agree with it. */
export const pipeFieldTable: readonly FieldRow[] = [
  // Part of the path of every request; whatever an answer says of it, the declared value stays.
  ["organizationId", "string", "replace", "write-only", undefined, anotherId],
  ["serviceId", "string", "replace", "write-only", undefined, anotherId],
  ["name", "string", "update", "", undefined, "renamed"],
  ["source", "object", "replace", "required"],
  ...Object.entries({ kafka, objectStorage, kinesis, postgres }).flatMap(([kind, rows]): FieldRow[] => [
    [`source.${kind}`, "object", "replace", "variant"],
    ...under(`source.${kind}`, rows),
  ]),
  ["source.validateSamples", "boolean", "sentAlong", "write-only", true, false],
  ["destination", "object", "replace", ""],
  ...under("destination", destination),
  ["fieldMappings", "list of object", "update", byFields, fieldMappings, changedMappings],
  ["fieldMappings[].sourceField", "string", "update", "required"],
  ["fieldMappings[].destinationField", "string", "update", "required"],
  ["scaling", "object", "replace", ""],
  ...under("scaling", scaling),
  ["settings", "object", "update", ""],
  ...under("settings", settings),
  ["adopt", "string", "providerOnly", "", undefined, anotherId],
  ["deletionPolicy", '"retain" | "delete"', "providerOnly", "", undefined, "delete"],
  ["replacementPolicy", '"refuse" | "allow"', "providerOnly", "", undefined, "allow"],
  ["waitFor", "object", "providerOnly", "", undefined, { states: ["Running"], timeoutSeconds: 5 }],
  ["waitFor.states", "list of string", "providerOnly", "required"],
  ["waitFor.timeoutSeconds", "number", "providerOnly", ""],
];

export const changesOf = (kind: SourceKind) =>
  pipeFieldTable.flatMap(([path, , onChange, words, , to]) => {
    if (to === undefined || !concerns(kind, path)) return [];
    /** Of the PATCHes that the provider sends for it; none for a field that no PATCH changes. */
    const bodies = onChange === "update" ? bodiesOf(path, to) : [];
    const isReturned = onChange !== "providerOnly" && !words.includes("write-only");
    return [{ kind, path, onChange, isSecret: words.includes("secret"), isReturned, to, bodies }];
  });

/** Fields of every kind belong to Kafka's; those whose PATCH may depend on the kind belong to each. */
function concerns(kind: SourceKind, path: string): boolean {
  const [, second = ""] = path.split(".");
  if (path.startsWith("source.") && KINDS.some((each) => each === second)) return second === kind;
  return kind === "kafka" || ["name", "destination.columns", "fieldMappings"].includes(path);
}

function bodiesOf(path: string, to: Json): JsonObject[] {
  const alone = withValue({}, path, to);
  const name = path.split(".").at(-1) ?? "";
  if (path.startsWith("settings.")) return [{ settings: { [snakeCase(name)]: to } }];
  // The mappings of the columns are sent with the columns.
  if (path === "fieldMappings") return [{ ...alone, destination: { columns } }];
  // Services test a changed connection, which takes the credentials.
  if (/^source\.postgres\.(host|port|database)$/.test(path))
    return [withValue(alone, "source.postgres.credentials", postgresUser)];
  if (path === "source.postgres.tableMappings")
    return [
      { source: { postgres: { tableMappingsToRemove: [identity] } } },
      { source: { postgres: { tableMappingsToAdd: [changedMapping] } } },
    ];
  return [alone];
}

export function fieldAt(path: string, fields: readonly Field[] = pipeFields): Field {
  for (const field of fields) {
    const own = field.path.join(".");
    if (own === path) return field;
    if (path.startsWith(`${own}.`)) return fieldAt(path, field.members ?? []);
  }
  throw new Error(`There is no field ${path}`);
}
