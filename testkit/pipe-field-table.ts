import { allSettings, complete, endpointIds, snakeCase, withValue } from "./pipes";
import type { Json, JsonObject, SourceKind } from "./pipes";

type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

/**
 * A field by its path (`[]` for the elements of a list), its type, what a change of it does, and what else is true of it. `to` is another value
 * than that of the complete pipe, for each field that is compared as a whole.
 */
export type FieldRow = [path: string, type: string, onChange: OnChange, flags: string, to?: Json];

/** A credential, and its two members, of which one is changed. */
function pair(path: string, onChange: OnChange, changed: Record<string, string>): FieldRow[] {
  const members = Object.keys(changed).map((name): FieldRow => {
    return [`${path}.${name}`, "string", onChange, "required secret write-only"];
  });
  return [[path, "object", onChange, "secret write-only", changed], ...members];
}

const kafka: FieldRow[] = [
  ["source.kafka", "object", "replace", "variant"],
  ["source.kafka.brokers", "string", "replace", "", "b-2.example:9092"],
  ["source.kafka.topics", "string", "replace", "", "other"],
  ["source.kafka.consumerGroup", "string", "replace", "", "other"],
  ["source.kafka.iamRole", "string", "update", "", "changed"],
  ["source.kafka.offset", "object", "replace", ""],
  ["source.kafka.offset.timestamp", "string", "replace", "required", "2026-02-28T23:59"],
  ["source.kafka.schemaRegistry", "object", "replace", ""],
  ["source.kafka.schemaRegistry.url", "string", "replace", "", "https://other.example"],
  ["source.kafka.schemaRegistry.caCertificate", "string", "replace", "", "other"],
  ...pair("source.kafka.schemaRegistry.credentials", "replace", {
    username: "registry-user",
    password: "other-password",
  }),
  ["source.kafka.caCertificate", "string", "update", "", "changed"],
  ["source.kafka.reversePrivateEndpointIds", "list of string", "update", "set", endpointIds.slice(1)],
  ...pair("source.kafka.credentials", "update", { username: "kafka-user", password: "other-password" }),
];

const objectStorage: FieldRow[] = [
  ["source.objectStorage", "object", "replace", "variant"],
  ["source.objectStorage.url", "string", "replace", "", "https://other.example/*"],
  ["source.objectStorage.delimiter", "string", "replace", "", ","],
  ["source.objectStorage.compression", "string", "replace", "", "zstd"],
  ["source.objectStorage.isContinuous", "boolean", "replace", "", false],
  ["source.objectStorage.queueUrl", "string", "replace", "", "https://queue.example/other"],
  ["source.objectStorage.iamRole", "string", "update", "", "changed"],
  ["source.objectStorage.connectionString", "string", "update", "secret", "AccountName=changed"],
  ["source.objectStorage.path", "string", "update", "", "changed/**"],
  ["source.objectStorage.azureContainerName", "string", "update", "", "changed"],
  ...pair("source.objectStorage.accessKey", "update", {
    accessKeyId: "storage-key-id",
    secretKey: "other-secret-key",
  }),
];

const kinesis: FieldRow[] = [
  ["source.kinesis", "object", "replace", "variant"],
  ["source.kinesis.streamName", "string", "replace", "", "other"],
  ["source.kinesis.region", "string", "replace", "", "eu-west-1"],
  ["source.kinesis.useEnhancedFanOut", "boolean", "replace", "", false],
  ["source.kinesis.timestamp", "integer", "replace", "", 1_770_000_000],
  ["source.kinesis.iamRole", "string", "update", "", "changed"],
  ...pair("source.kinesis.accessKey", "update", {
    accessKeyId: "other-key-id",
    secretKey: "kinesis-secret-key",
  }),
];

const identity = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const changedMapping = {
  ...identity,
  excludedColumns: ["internal", "comment"],
  useCustomSortingKey: true,
  sortingKeys: ["id"],
};
const changedMappings = [
  changedMapping,
  { sourceSchemaName: "public", sourceTable: "returns", targetTable: "returns" },
];

const postgres: FieldRow[] = [
  ["source.postgres", "object", "replace", "variant"],
  ["source.postgres.host", "string", "update", "", "changed.example"],
  ["source.postgres.port", "integer", "update", "", 6543],
  ["source.postgres.database", "string", "update", "", "changed"],
  ["source.postgres.settings", "object", "replace", ""],
  ["source.postgres.settings.syncIntervalSeconds", "integer", "update", "", 90],
  ["source.postgres.settings.pullBatchSize", "integer", "update", "", 9000],
  ["source.postgres.settings.publicationName", "string", "replace", "", "other"],
  ["source.postgres.settings.replicationSlotName", "string", "replace", "", "other"],
  ["source.postgres.settings.allowNullableColumns", "boolean", "replace", "", false],
  ["source.postgres.settings.initialLoadParallelism", "integer", "replace", "", 8],
  ["source.postgres.settings.snapshotNumRowsPerPartition", "integer", "replace", "", 8],
  ["source.postgres.settings.snapshotNumberOfParallelTables", "integer", "replace", "", 8],
  ["source.postgres.settings.enableFailoverSlots", "boolean", "replace", "", false],
  [
    "source.postgres.tableMappings",
    "list of object",
    "update",
    "set by sourceSchemaName+sourceTable+targetTable",
    changedMappings,
  ],
  ["source.postgres.tableMappings[].sourceSchemaName", "string", "update", "required"],
  ["source.postgres.tableMappings[].sourceTable", "string", "update", "required"],
  ["source.postgres.tableMappings[].targetTable", "string", "update", "required"],
  ["source.postgres.tableMappings[].excludedColumns", "list of string", "update", "set"],
  ["source.postgres.tableMappings[].useCustomSortingKey", "boolean", "update", ""],
  ["source.postgres.tableMappings[].sortingKeys", "list of string", "update", ""],
  ...pair("source.postgres.credentials", "update", {
    username: "other-user",
    password: "postgres-password",
  }),
];

const columns = [
  { name: "id", type: "UInt64" },
  { name: "note", type: "LowCardinality(String)" },
];

const destination: FieldRow[] = [
  ["destination", "object", "replace", ""],
  ["destination.database", "string", "replace", "", "other"],
  ["destination.table", "string", "replace", "", "other"],
  ["destination.managedTable", "boolean", "replace", "", false],
  ["destination.tableDefinition", "object", "replace", ""],
  ["destination.tableDefinition.engine", "object", "replace", ""],
  ["destination.tableDefinition.engine.versionColumnId", "string", "replace", "", "note"],
  ["destination.tableDefinition.engine.columnIds", "list of string", "replace", "", ["note"]],
  ["destination.tableDefinition.sortingKey", "list of string", "replace", "", ["note"]],
  ["destination.tableDefinition.partitionBy", "string", "replace", "", "id"],
  ["destination.tableDefinition.primaryKey", "string", "replace", "", "note"],
  ["destination.columns", "list of object", "update", "set by name", columns],
  ["destination.columns[].name", "string", "update", "required"],
  ["destination.columns[].type", "string", "update", "required"],
  ["destination.roles", "list of string", "replace", "write-only set", ["other"]],
];

const fieldMappings = [
  { sourceField: "$.id", destinationField: "id" },
  { sourceField: "$.key", destinationField: "note" },
];

/** The settings by their kind of value. */
const numbers = [
  "streamingMaxInsertWaitMs",
  "objectStorageConcurrency",
  "objectStoragePollingIntervalMs",
  "objectStorageMaxInsertBytes",
  "objectStorageMaxFileCount",
  "dbmsMaxThreads",
  "dbmsMaxInsertThreads",
  "dbmsMinInsertBlockSizeBytes",
  "dbmsMaxDownloadThreads",
  "dbmsParallelDistributedInsertSelect",
] as const;
const flags = ["objectStorageUseClusterFunction", "dbmsParallelViewProcessing"] as const;

const settings: FieldRow[] = [
  ["settings", "object", "update", ""],
  ...numbers.map((name): FieldRow => [`settings.${name}`, "integer", "update", "", allSettings[name] + 1]),
  ...flags.map((name): FieldRow => [`settings.${name}`, "boolean", "update", "", !allSettings[name]]),
];

const anotherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** The contract of a pipe's fields, written by hand from the API document: the schema must agree with it. */
export const pipeFieldTable: readonly FieldRow[] = [
  // Part of the path of every request; whatever an answer says of it, the declared value stays.
  ["organizationId", "string", "replace", "write-only", anotherId],
  ["serviceId", "string", "replace", "write-only", anotherId],
  ["name", "string", "update", "", "renamed"],
  ["source", "object", "replace", "required"],
  ...kafka,
  ...objectStorage,
  ...kinesis,
  ...postgres,
  ["source.validateSamples", "boolean", "sentAlong", "write-only", false],
  ...destination,
  ["fieldMappings", "list of object", "update", "set by sourceField+destinationField", fieldMappings],
  ["fieldMappings[].sourceField", "string", "update", "required"],
  ["fieldMappings[].destinationField", "string", "update", "required"],
  ["scaling", "object", "replace", ""],
  ["scaling.replicas", "integer", "replace", "", 3],
  ["scaling.concurrency", "integer", "replace", "", 4],
  ["scaling.replicaCpuMillicores", "integer", "replace", "", 1000],
  ["scaling.replicaMemoryGb", "number", "replace", "", 2.5],
  ...settings,
  ["adopt", "string", "providerOnly", "", anotherId],
  ["deletionPolicy", '"retain" | "delete"', "providerOnly", "", "delete"],
  ["replacementPolicy", '"refuse" | "allow"', "providerOnly", "", "allow"],
  ["waitFor", "object", "providerOnly", "", { states: ["Running"], timeoutSeconds: 5 }],
  ["waitFor.states", "list of string", "providerOnly", "required"],
  ["waitFor.timeoutSeconds", "number", "providerOnly", ""],
];

/** One changed field of a complete pipe. */
export interface FieldChange {
  readonly kind: SourceKind;
  readonly path: string;
  readonly onChange: OnChange;
  readonly isSecret: boolean;
  /** The answers of the API have the field. */
  readonly isReturned: boolean;
  readonly to: Json;
  /** The bodies of the PATCHes that the provider sends for it; none for a field that no PATCH changes. */
  readonly bodies: readonly JsonObject[];
}

/** For each field of this kind of pipe, a change of it. */
export const changesOf = (kind: SourceKind): FieldChange[] =>
  pipeFieldTable.flatMap(([path, , onChange, words, to]) => {
    if (to === undefined || !concerns(kind, path)) return [];
    const bodies = onChange === "update" ? bodiesOf(kind, path, to) : [];
    const isReturned = onChange !== "providerOnly" && !words.includes("write-only");
    return [{ kind, path, onChange, isSecret: words.includes("secret"), isReturned, to, bodies }];
  });

/** Fields of every kind belong to Kafka's; those whose PATCH may depend on the kind belong to each. */
function concerns(kind: SourceKind, path: string): boolean {
  const [, second = ""] = path.split(".");
  if (path.startsWith("source.") && second in complete) return second === kind;
  return kind === "kafka" || ["name", "destination.columns", "fieldMappings"].includes(path);
}

function bodiesOf(kind: SourceKind, path: string, to: Json): JsonObject[] {
  const alone = withValue({}, path, to);
  const name = path.split(".").at(-1) ?? "";
  if (path.startsWith("settings.")) return [{ settings: { [snakeCase(name)]: to } }];
  // The mappings of the columns are sent with the columns.
  if (path === "fieldMappings") return [{ ...alone, destination: { columns: columnsOf(kind) } }];
  // Services test a changed connection, which takes the credentials.
  if (/^source\.postgres\.(host|port|database)$/.test(path))
    return [withValue(alone, "source.postgres.credentials", postgresCredentials)];
  if (path === "source.postgres.tableMappings")
    return [
      { source: { postgres: { tableMappingsToRemove: [identity] } } },
      { source: { postgres: { tableMappingsToAdd: [changedMapping] } } },
    ];
  return [alone];
}

const columnsOf = (kind: SourceKind): Json =>
  (complete[kind]["destination"] as JsonObject)["columns"] ?? null;

const postgresCredentials = { username: "postgres-user", password: "postgres-password" };
