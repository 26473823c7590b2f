/** Path, type, what a change means, and the rest of what is true of the field. */
export type Row = [path: string, type: string, onChange: string, flags: string];

const settings: Row[] = [
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
].map((name): Row => [`settings.${name}`, "integer", "update", ""]);

const login = (path: string, onChange: string): Row[] => [
  [path, "object", onChange, "secret write-only"],
  [`${path}.username`, "string", onChange, "required secret write-only"],
  [`${path}.password`, "string", onChange, "required secret write-only"],
];

const accessKey = (path: string): Row[] => [
  [path, "object", "update", "secret write-only"],
  [`${path}.accessKeyId`, "string", "update", "required secret write-only"],
  [`${path}.secretKey`, "string", "update", "required secret write-only"],
];

const kafka: Row[] = [
  ["source.kafka", "object", "replace", "variant"],
  ["source.kafka.brokers", "string", "replace", ""],
  ["source.kafka.topics", "string", "replace", ""],
  ["source.kafka.consumerGroup", "string", "replace", ""],
  ["source.kafka.iamRole", "string", "update", ""],
  ["source.kafka.offset", "object", "replace", ""],
  ["source.kafka.offset.timestamp", "string", "replace", "required"],
  ["source.kafka.schemaRegistry", "object", "replace", ""],
  ["source.kafka.schemaRegistry.url", "string", "replace", ""],
  ["source.kafka.schemaRegistry.caCertificate", "string", "replace", ""],
  ...login("source.kafka.schemaRegistry.credentials", "replace"),
  ["source.kafka.caCertificate", "string", "update", ""],
  ["source.kafka.reversePrivateEndpointIds", "list of string", "update", "set"],
  ...login("source.kafka.credentials", "update"),
];

const objectStorage: Row[] = [
  ["source.objectStorage", "object", "replace", "variant"],
  ["source.objectStorage.url", "string", "replace", ""],
  ["source.objectStorage.delimiter", "string", "replace", ""],
  ["source.objectStorage.compression", "string", "replace", ""],
  ["source.objectStorage.isContinuous", "boolean", "replace", ""],
  ["source.objectStorage.queueUrl", "string", "replace", ""],
  ["source.objectStorage.iamRole", "string", "update", ""],
  ["source.objectStorage.connectionString", "string", "update", "secret"],
  ["source.objectStorage.path", "string", "update", ""],
  ["source.objectStorage.azureContainerName", "string", "update", ""],
  ...accessKey("source.objectStorage.accessKey"),
];

const kinesis: Row[] = [
  ["source.kinesis", "object", "replace", "variant"],
  ["source.kinesis.streamName", "string", "replace", ""],
  ["source.kinesis.region", "string", "replace", ""],
  ["source.kinesis.useEnhancedFanOut", "boolean", "replace", ""],
  ["source.kinesis.timestamp", "integer", "replace", ""],
  ["source.kinesis.iamRole", "string", "update", ""],
  ...accessKey("source.kinesis.accessKey"),
];

const mapping = "source.postgres.tableMappings[]";

const postgres: Row[] = [
  ["source.postgres", "object", "replace", "variant"],
  ["source.postgres.host", "string", "update", ""],
  ["source.postgres.port", "integer", "update", ""],
  ["source.postgres.database", "string", "update", ""],
  ["source.postgres.settings", "object", "replace", ""],
  ["source.postgres.settings.syncIntervalSeconds", "integer", "update", ""],
  ["source.postgres.settings.pullBatchSize", "integer", "update", ""],
  ["source.postgres.settings.publicationName", "string", "replace", ""],
  ["source.postgres.settings.replicationSlotName", "string", "replace", ""],
  ["source.postgres.settings.allowNullableColumns", "boolean", "replace", ""],
  ["source.postgres.settings.initialLoadParallelism", "integer", "replace", ""],
  ["source.postgres.settings.snapshotNumRowsPerPartition", "integer", "replace", ""],
  ["source.postgres.settings.snapshotNumberOfParallelTables", "integer", "replace", ""],
  ["source.postgres.settings.enableFailoverSlots", "boolean", "replace", ""],
  [
    "source.postgres.tableMappings",
    "list of object",
    "update",
    "set by sourceSchemaName+sourceTable+targetTable",
  ],
  [`${mapping}.sourceSchemaName`, "string", "update", "required"],
  [`${mapping}.sourceTable`, "string", "update", "required"],
  [`${mapping}.targetTable`, "string", "update", "required"],
  [`${mapping}.excludedColumns`, "list of string", "update", "set"],
  [`${mapping}.useCustomSortingKey`, "boolean", "update", ""],
  [`${mapping}.sortingKeys`, "list of string", "update", ""],
  ...login("source.postgres.credentials", "update"),
];

const destination: Row[] = [
  ["destination", "object", "replace", ""],
  ["destination.database", "string", "replace", ""],
  ["destination.table", "string", "replace", ""],
  ["destination.managedTable", "boolean", "replace", ""],
  ["destination.tableDefinition", "object", "replace", ""],
  ["destination.tableDefinition.engine", "object", "replace", ""],
  ["destination.tableDefinition.engine.versionColumnId", "string", "replace", ""],
  ["destination.tableDefinition.engine.columnIds", "list of string", "replace", ""],
  ["destination.tableDefinition.sortingKey", "list of string", "replace", ""],
  ["destination.tableDefinition.partitionBy", "string", "replace", ""],
  ["destination.tableDefinition.primaryKey", "string", "replace", ""],
  ["destination.columns", "list of object", "update", "set by name"],
  ["destination.columns[].name", "string", "update", "required"],
  ["destination.columns[].type", "string", "update", "required"],
  ["destination.roles", "list of string", "replace", "write-only set"],
];

const steering: Row[] = [
  ["adopt", "string", "providerOnly", ""],
  ["deletionPolicy", '"retain" | "delete"', "providerOnly", ""],
  ["replacementPolicy", '"refuse" | "allow"', "providerOnly", ""],
  ["waitFor", "object", "providerOnly", ""],
  ["waitFor.states", "list of string", "providerOnly", "required"],
  ["waitFor.timeoutSeconds", "number", "providerOnly", ""],
];

/** The contract of a pipe's fields, written down on its own: the schema must come to the same. */
export const CONTRACT: Row[] = [
  // Part of the path of every request; whatever an answer says of it, the declared value stays.
  ["organizationId", "string", "replace", "write-only"],
  ["serviceId", "string", "replace", "write-only"],
  ["name", "string", "update", ""],
  ["source", "object", "replace", "required"],
  ...kafka,
  ...objectStorage,
  ...kinesis,
  ...postgres,
  ["source.validateSamples", "boolean", "sentAlong", "write-only"],
  ...destination,
  ["fieldMappings", "list of object", "update", "set by sourceField+destinationField"],
  ["fieldMappings[].sourceField", "string", "update", "required"],
  ["fieldMappings[].destinationField", "string", "update", "required"],
  ["scaling", "object", "replace", ""],
  ["scaling.replicas", "integer", "replace", ""],
  ["scaling.concurrency", "integer", "replace", ""],
  ["scaling.replicaCpuMillicores", "integer", "replace", ""],
  ["scaling.replicaMemoryGb", "number", "replace", ""],
  ["settings", "object", "update", ""],
  ...settings,
  ["settings.objectStorageUseClusterFunction", "boolean", "update", ""],
  ["settings.dbmsParallelViewProcessing", "boolean", "update", ""],
  ...steering,
];

/** All that is stored encrypted. */
export const SECRET_PATHS = [
  "source.kafka.schemaRegistry.credentials",
  "source.kafka.schemaRegistry.credentials.username",
  "source.kafka.schemaRegistry.credentials.password",
  "source.kafka.credentials",
  "source.kafka.credentials.username",
  "source.kafka.credentials.password",
  "source.objectStorage.connectionString",
  "source.objectStorage.accessKey",
  "source.objectStorage.accessKey.accessKeyId",
  "source.objectStorage.accessKey.secretKey",
  "source.kinesis.accessKey",
  "source.kinesis.accessKey.accessKeyId",
  "source.kinesis.accessKey.secretKey",
  "source.postgres.credentials",
  "source.postgres.credentials.username",
  "source.postgres.credentials.password",
];
