import type { Field } from "../../provider/src/lifecycle/comparison/fields";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { snakeCase, withValue, type Json, type JsonObject } from "./json";

export type SourceKind = "kafka" | "objectStorage" | "kinesis" | "postgres";
export const KINDS: readonly SourceKind[] = ["kafka", "objectStorage", "kinesis", "postgres"];

export type OnChange = "update" | "replace" | "sentAlong" | "providerOnly";

/** What is true of a field beside its type and what a change of it does; what is false is left out. */
interface Facts {
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly isWriteOnly?: boolean;
  /** One of several members, of which an object has one. */
  readonly isVariant?: boolean;
  /** A list whose order means nothing. */
  readonly isSet?: boolean;
  /** The members by which elements of a set are the same. */
  readonly identity?: readonly string[];
  /** In a complete pipe, for a field that is compared as a whole. */
  readonly value?: Json;
  /** Another value, for each field that is compared as a whole. */
  readonly changed?: Json;
}

export interface PipeField extends Facts {
  /** `[]` marks the elements of a list. */
  readonly path: string;
  readonly type: string;
  readonly onChange: OnChange;
}

const field =
  (onChange: OnChange) =>
  (path: string, type: string, facts: Facts = {}): PipeField => ({ path, type, onChange, ...facts });
const update = field("update");
const replace = field("replace");
const sentAlong = field("sentAlong");
const providerOnly = field("providerOnly");

const under = (owner: string, fields: readonly PipeField[]): PipeField[] =>
  fields.map((one) => ({ ...one, path: `${owner}.${one.path}` }));

type Texts = Readonly<Record<string, string>>;

/** A credential, and its two members, of which one is changed. */
function pair(path: string, onChange: OnChange, value: Texts, change: Texts): PipeField[] {
  const facts = { isSecret: true, isWriteOnly: true };
  const whole = field(onChange)(path, "object", { ...facts, value, changed: { ...value, ...change } });
  const members = Object.keys(value).map((name) =>
    field(onChange)(`${path}.${name}`, "string", { ...facts, isRequired: true }),
  );
  return [whole, ...members];
}

export const endpointIds = ["3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a02"];

const registryUser = { username: "registry-user", password: "registry-password" };
const kafkaUser = { username: "kafka-user", password: "kafka-password" };

const kafka: PipeField[] = [
  replace("brokers", "string", { value: "b-1.example:9092", changed: "b-2.example:9092" }),
  replace("topics", "string", { value: "orders,returns", changed: "other" }),
  replace("consumerGroup", "string", { value: "loader", changed: "other" }),
  update("iamRole", "string", { value: "role-of-kafka", changed: "changed" }),
  replace("offset", "object"),
  replace("offset.timestamp", "string", {
    isRequired: true,
    value: "2026-01-31T00:00",
    changed: "2026-02-28T23:59",
  }),
  replace("schemaRegistry", "object"),
  replace("schemaRegistry.url", "string", {
    value: "https://registry.example",
    changed: "https://other.example",
  }),
  replace("schemaRegistry.caCertificate", "string", { value: "registry-certificate", changed: "other" }),
  ...pair("schemaRegistry.credentials", "replace", registryUser, { password: "other-password" }),
  update("caCertificate", "string", { value: "kafka-certificate", changed: "changed" }),
  update("reversePrivateEndpointIds", "list of string", {
    isSet: true,
    value: endpointIds,
    changed: endpointIds.slice(1),
  }),
  ...pair("credentials", "update", kafkaUser, { password: "other-password" }),
];

const connection = "AccountName=demo;AccountKey=storage-account-key";
const storageKey = { accessKeyId: "storage-key-id", secretKey: "storage-secret-key" };

const objectStorage: PipeField[] = [
  replace("url", "string", { value: "https://bucket.example/*.csv", changed: "https://other.example/*" }),
  replace("delimiter", "string", { value: ";", changed: "," }),
  replace("compression", "string", { value: "gzip", changed: "zstd" }),
  replace("isContinuous", "boolean", { value: true, changed: false }),
  replace("queueUrl", "string", {
    value: "https://queue.example/files",
    changed: "https://queue.example/other",
  }),
  update("iamRole", "string", { value: "role-of-storage", changed: "changed" }),
  update("connectionString", "string", { isSecret: true, value: connection, changed: "AccountName=changed" }),
  update("path", "string", { value: "2026/**.csv", changed: "changed/**" }),
  update("azureContainerName", "string", { value: "container", changed: "changed" }),
  ...pair("accessKey", "update", storageKey, { secretKey: "other-secret-key" }),
];

const kinesisKey = { accessKeyId: "kinesis-key-id", secretKey: "kinesis-secret-key" };

const kinesis: PipeField[] = [
  replace("streamName", "string", { value: "clicks", changed: "other" }),
  replace("region", "string", { value: "eu-central-1", changed: "eu-west-1" }),
  replace("useEnhancedFanOut", "boolean", { value: true, changed: false }),
  replace("timestamp", "integer", { value: 1_760_000_000, changed: 1_770_000_000 }),
  update("iamRole", "string", { value: "role-of-kinesis", changed: "changed" }),
  ...pair("accessKey", "update", kinesisKey, { accessKeyId: "other-key-id" }),
];

export const postgresUser = { username: "postgres-user", password: "postgres-password" };
export const identity = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const returns = { sourceSchemaName: "public", sourceTable: "returns", targetTable: "returns" };
const sorted = { useCustomSortingKey: true, sortingKeys: ["id"] };
const mapping = { ...identity, excludedColumns: ["internal"], ...sorted };
export const changedMapping = { ...mapping, excludedColumns: ["internal", "comment"] };

const postgres: PipeField[] = [
  update("host", "string", { value: "db.example", changed: "changed.example" }),
  update("port", "integer", { value: 5433, changed: 6543 }),
  update("database", "string", { value: "shop", changed: "changed" }),
  replace("settings", "object"),
  update("settings.syncIntervalSeconds", "integer", { value: 30, changed: 90 }),
  update("settings.pullBatchSize", "integer", { value: 5000, changed: 9000 }),
  replace("settings.publicationName", "string", { value: "publication", changed: "other" }),
  replace("settings.replicationSlotName", "string", { value: "slot", changed: "other" }),
  replace("settings.allowNullableColumns", "boolean", { value: true, changed: false }),
  replace("settings.initialLoadParallelism", "integer", { value: 2, changed: 8 }),
  replace("settings.snapshotNumRowsPerPartition", "integer", { value: 1000, changed: 8 }),
  replace("settings.snapshotNumberOfParallelTables", "integer", { value: 3, changed: 8 }),
  replace("settings.enableFailoverSlots", "boolean", { value: true, changed: false }),
  update("tableMappings", "list of object", {
    isSet: true,
    identity: Object.keys(identity),
    value: [mapping, returns],
    changed: [changedMapping, returns],
  }),
  update("tableMappings[].sourceSchemaName", "string", { isRequired: true }),
  update("tableMappings[].sourceTable", "string", { isRequired: true }),
  update("tableMappings[].targetTable", "string", { isRequired: true }),
  update("tableMappings[].excludedColumns", "list of string", { isSet: true }),
  update("tableMappings[].useCustomSortingKey", "boolean"),
  update("tableMappings[].sortingKeys", "list of string"),
  ...pair("credentials", "update", postgresUser, { username: "other-user" }),
];

const idColumn = { name: "id", type: "UInt64" };
export const columns = [idColumn, { name: "note", type: "String" }];
const changedColumns = [idColumn, { name: "note", type: "LowCardinality(String)" }];

const destination: PipeField[] = [
  replace("database", "string", { value: "shop", changed: "other" }),
  replace("table", "string", { value: "events", changed: "other" }),
  replace("managedTable", "boolean", { value: true, changed: false }),
  replace("tableDefinition", "object"),
  replace("tableDefinition.engine", "object"),
  replace("tableDefinition.engine.versionColumnId", "string", { value: "id", changed: "note" }),
  replace("tableDefinition.engine.columnIds", "list of string", { value: ["id", "note"], changed: ["note"] }),
  replace("tableDefinition.sortingKey", "list of string", { value: ["id"], changed: ["note"] }),
  replace("tableDefinition.partitionBy", "string", { value: "note", changed: "id" }),
  replace("tableDefinition.primaryKey", "string", { value: "id", changed: "note" }),
  update("columns", "list of object", {
    isSet: true,
    identity: ["name"],
    value: columns,
    changed: changedColumns,
  }),
  update("columns[].name", "string", { isRequired: true }),
  update("columns[].type", "string", { isRequired: true }),
  replace("roles", "list of string", {
    isWriteOnly: true,
    isSet: true,
    value: ["loader", "reader"],
    changed: ["other"],
  }),
];

const mapped = (sourceField: string, destinationField: string) => ({ sourceField, destinationField });
const fieldMappings = [mapped("$.id", "id"), mapped("$.note", "note")];
const changedMappings = [mapped("$.id", "id"), mapped("$.key", "note")];

const scaling: PipeField[] = [
  replace("replicas", "integer", { value: 2, changed: 3 }),
  replace("concurrency", "integer", { value: 3, changed: 4 }),
  replace("replicaCpuMillicores", "integer", { value: 500, changed: 1000 }),
  replace("replicaMemoryGb", "number", { value: 1.5, changed: 2.5 }),
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

const settings = Object.entries(allSettings).map(([name, value]) =>
  typeof value === "number"
    ? update(name, "integer", { value, changed: value + 1 })
    : update(name, "boolean", { value, changed: !value }),
);

const anotherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** The contract of a pipe's fields, written by hand from the API document: the schema must agree with it. */
export const pipeFieldTable: readonly PipeField[] = [
  // Part of the path of every request; whatever an answer says of it, the declared value stays.
  replace("organizationId", "string", { isWriteOnly: true, changed: anotherId }),
  replace("serviceId", "string", { isWriteOnly: true, changed: anotherId }),
  update("name", "string", { changed: "renamed" }),
  replace("source", "object", { isRequired: true }),
  ...Object.entries({ kafka, objectStorage, kinesis, postgres }).flatMap(([kind, rows]): PipeField[] => [
    replace(`source.${kind}`, "object", { isVariant: true }),
    ...under(`source.${kind}`, rows),
  ]),
  sentAlong("source.validateSamples", "boolean", { isWriteOnly: true, value: true, changed: false }),
  replace("destination", "object"),
  ...under("destination", destination),
  update("fieldMappings", "list of object", {
    isSet: true,
    identity: ["destinationField"],
    value: fieldMappings,
    changed: changedMappings,
  }),
  update("fieldMappings[].sourceField", "string", { isRequired: true }),
  update("fieldMappings[].destinationField", "string", { isRequired: true }),
  replace("scaling", "object"),
  ...under("scaling", scaling),
  update("settings", "object"),
  ...under("settings", settings),
  providerOnly("adopt", "string", { changed: anotherId }),
  providerOnly("deletionPolicy", '"retain" | "delete"', { changed: "delete" }),
  providerOnly("replacementPolicy", '"refuse" | "allow"', { changed: "allow" }),
  providerOnly("waitFor", "object", { changed: { states: ["Running"], timeoutSeconds: 5 } }),
  providerOnly("waitFor.states", "list of string", { isRequired: true }),
  providerOnly("waitFor.timeoutSeconds", "number"),
];

export const changesOf = (kind: SourceKind) =>
  pipeFieldTable.flatMap(({ path, onChange, isSecret = false, isWriteOnly = false, changed: to }) => {
    if (to === undefined || !concerns(kind, path)) return [];
    /** Of the PATCHes that the provider sends for it; none for a field that no PATCH changes. */
    const bodies = onChange === "update" ? bodiesOf(path, to) : [];
    const isReturned = onChange !== "providerOnly" && !isWriteOnly;
    return [{ kind, path, onChange, isSecret, isReturned, to, bodies }];
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
