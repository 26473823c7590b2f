import type { SourceKind } from "../../provider/src/resources/pipe/source-schema";
import { field, replace, under, update, type OnChange, type PipeField } from "./pipe-field";

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

const OF_KIND: Readonly<Record<SourceKind, PipeField[]>> = { kafka, objectStorage, kinesis, postgres };

/** The contract of the fields of each kind of source. */
export const sourceFields = Object.entries(OF_KIND).flatMap(([kind, rows]) => [
  replace(`source.${kind}`, "object", { isVariant: true }),
  ...under(`source.${kind}`, rows),
]);
