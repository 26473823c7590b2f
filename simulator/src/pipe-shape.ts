/** What a pipe loads with. */
export interface Scaling {
  replicas?: number;
  concurrency?: number;
  replicaCpuMillicores?: number;
  replicaMemoryGb?: number;
}

/** The twelve settings of a pipe, under the API's own names. */
export interface PipeSettings {
  streaming_max_insert_wait_ms?: number;
  object_storage_concurrency?: number;
  object_storage_polling_interval_ms?: number;
  object_storage_max_insert_bytes?: number;
  object_storage_max_file_count?: number;
  dbms_max_threads?: number;
  dbms_max_insert_threads?: number;
  dbms_min_insert_block_size_bytes?: number;
  dbms_max_download_threads?: number;
  dbms_parallel_distributed_insert_select?: number;
  object_storage_use_cluster_function?: boolean;
  dbms_parallel_view_processing?: boolean;
}

/** User and password of a source; taken in requests, never returned. */
export interface Credentials {
  username?: string;
  password?: string;
}

/** Access key of a source; taken in requests, never returned. */
export interface AccessKey {
  accessKeyId?: string;
  secretKey?: string;
}

/** A Kafka source as the API returns it. */
export interface KafkaSource {
  brokers?: string;
  topics?: string;
  consumerGroup?: string;
  iamRole?: string;
  offset?: { timestamp?: string };
  schemaRegistry?: { url?: string; caCertificate?: string };
  caCertificate?: string;
  reversePrivateEndpointIds?: string[];
}

/** An object storage source as the API returns it. */
export interface ObjectStorageSource {
  url?: string;
  delimiter?: string;
  compression?: string;
  isContinuous?: boolean;
  queueUrl?: string;
  iamRole?: string;
  connectionString?: string;
  path?: string;
  azureContainerName?: string;
}

/** A Kinesis source as the API returns it. */
export interface KinesisSource {
  streamName?: string;
  region?: string;
  useEnhancedFanOut?: boolean;
  timestamp?: number;
  iamRole?: string;
}

/** How a table of a Postgres source becomes a table of the service. */
export interface TableMapping {
  sourceSchemaName?: string;
  sourceTable?: string;
  targetTable?: string;
  excludedColumns?: string[];
  useCustomSortingKey?: boolean;
  sortingKeys?: string[];
}

/** Settings of a Postgres source. */
export interface PostgresSettings {
  syncIntervalSeconds?: number;
  pullBatchSize?: number;
  publicationName?: string;
  replicationSlotName?: string;
  allowNullableColumns?: boolean;
  initialLoadParallelism?: number;
  snapshotNumRowsPerPartition?: number;
  snapshotNumberOfParallelTables?: number;
  enableFailoverSlots?: boolean;
}

/** A Postgres source as the API returns it. */
export interface PostgresSource {
  host?: string;
  port?: number;
  database?: string;
  settings?: PostgresSettings;
  tableMappings?: TableMapping[];
}

/** The source of a pipe as the API returns it: one of the four kinds. */
export interface Source {
  kafka?: KafkaSource;
  objectStorage?: ObjectStorageSource;
  kinesis?: KinesisSource;
  postgres?: PostgresSource;
}

/** The destination of a pipe as the API returns it. */
export interface Destination {
  database?: string;
  table?: string;
  managedTable?: boolean;
  tableDefinition?: {
    engine?: { versionColumnId?: string; columnIds?: string[] };
    sortingKey?: string[];
    partitionBy?: string;
    primaryKey?: string;
  };
  columns?: { name?: string; type?: string }[];
}

/** Which field of the source fills which column. */
export interface FieldMapping {
  sourceField?: string;
  destinationField?: string;
}

/** A pipe as the API returns it. */
export interface Pipe {
  id: string;
  serviceId: string;
  name: string;
  state: string;
  scaling?: Scaling;
  source: Source;
  destination: Destination;
  fieldMappings?: FieldMapping[];
  settings?: PipeSettings;
  createdAt: string;
  updatedAt: string;
}

/** The body of createPipe. */
export interface CreatePipe {
  name: string;
  source: {
    kafka?: Omit<KafkaSource, "schemaRegistry"> & {
      schemaRegistry?: { url?: string; caCertificate?: string; credentials?: Credentials };
      credentials?: Credentials;
    };
    objectStorage?: ObjectStorageSource & { accessKey?: AccessKey };
    kinesis?: KinesisSource & { accessKey?: AccessKey };
    postgres?: PostgresSource & { credentials?: Credentials };
    validateSamples?: boolean;
  };
  destination: Destination & { roles?: string[] };
  fieldMappings?: FieldMapping[];
  scaling?: Scaling;
  settings?: PipeSettings;
}

/** A mapping as updatePipe removes it: by its identity. */
export type TableMappingIdentity = Pick<TableMapping, "sourceSchemaName" | "sourceTable" | "targetTable">;

/** The body of updatePipe. */
export interface UpdatePipe {
  name?: string | null;
  source?: {
    kafka?: Pick<KafkaSource, "iamRole" | "caCertificate" | "reversePrivateEndpointIds">;
    objectStorage?: Pick<ObjectStorageSource, "iamRole" | "connectionString" | "path" | "azureContainerName">;
    kinesis?: Pick<KinesisSource, "iamRole">;
    postgres?: Pick<PostgresSource, "host" | "port" | "database"> & {
      settings?: Pick<PostgresSettings, "syncIntervalSeconds" | "pullBatchSize">;
      tableMappingsToAdd?: TableMapping[];
      tableMappingsToRemove?: TableMappingIdentity[];
    };
    validateSamples?: boolean;
  };
  destination?: Pick<Destination, "columns">;
  fieldMappings?: FieldMapping[];
  settings?: PipeSettings;
}

/** The kinds of source. */
export type SourceKind = "kafka" | "objectStorage" | "kinesis" | "postgres";
