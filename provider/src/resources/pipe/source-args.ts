import type * as pulumi from "@pulumi/pulumi";
import type { Optional } from "../argument-types";

/** A user name and its password. Both are stored encrypted and shown as `[secret]`. */
export interface CredentialsArgs {
  /** The user name. Request only: the API never returns it. */
  username: pulumi.Input<string>;
  /** The password. Request only: the API never returns it. */
  password: pulumi.Input<string>;
}

/** A key of a cloud account. Both parts are stored encrypted and shown as `[secret]`. */
export interface AccessKeyArgs {
  /** The id of the key. Request only: the API never returns it. */
  accessKeyId: pulumi.Input<string>;
  /** The secret of the key. Request only: the API never returns it. */
  secretKey: pulumi.Input<string>;
}

/** Where a Kafka pipe begins to read. */
export interface KafkaOffsetArgs {
  /**
   * Date and time without seconds and zone, in the form `YYYY-MM-DDTHH:MM`; comparable services take it as UTC.
   * A change replaces the pipe.
   */
  timestamp: pulumi.Input<string>;
}

/** The schema registry of a Kafka pipe. A change of any part replaces the pipe. */
export interface SchemaRegistryArgs {
  /** Address of the registry. A change replaces the pipe. */
  url?: Optional<string>;
  /** Certificate of the authority that signed the registry's certificate, PEM. A change replaces the pipe. */
  caCertificate?: Optional<string>;
  /** Login at the registry. Secret, request only. A change replaces the pipe. */
  credentials?: Optional<CredentialsArgs>;
}

/** A Kafka cluster as the source of a pipe. */
export interface KafkaSourceArgs {
  /** The brokers, `host:port` separated by commas. A change replaces the pipe. */
  brokers?: Optional<string>;
  /** The topics, separated by commas. A change replaces the pipe. */
  topics?: Optional<string>;
  /** The consumer group. Default: the service chooses a name. A change replaces the pipe. */
  consumerGroup?: Optional<string>;
  /** Identifier of the role with which the pipe reads. Changed in place (`updatePipe`). */
  iamRole?: Optional<string>;
  /** Where to begin. Default: as the service decides. A change replaces the pipe. */
  offset?: Optional<KafkaOffsetArgs>;
  /** The schema registry. A change replaces the pipe. */
  schemaRegistry?: Optional<SchemaRegistryArgs>;
  /** Certificate of the authority that signed the brokers' certificates, PEM. Changed in place (`updatePipe`). */
  caCertificate?: Optional<string>;
  /** Ids of the reverse private endpoints through which the brokers are reached; a set. Changed in place (`updatePipe`). */
  reversePrivateEndpointIds?: Optional<pulumi.Input<string>[]>;
  /** Login at the brokers. Secret, request only. Changed in place, always whole (`updatePipe`). */
  credentials?: Optional<CredentialsArgs>;
}

/** Files in a bucket or container as the source of a pipe. */
export interface ObjectStorageSourceArgs {
  /** Where the objects are; may hold wildcards. A change replaces the pipe. */
  url?: Optional<string>;
  /** What separates the fields of a line. A change replaces the pipe. */
  delimiter?: Optional<string>;
  /** Name of the compression, or the service's value for automatic detection. A change replaces the pipe. */
  compression?: Optional<string>;
  /** Whether the pipe loads new objects as they appear, or loads the existing ones once. A change replaces the pipe. */
  isContinuous?: Optional<boolean>;
  /** Address of a queue that announces new objects. A change replaces the pipe. */
  queueUrl?: Optional<string>;
  /** Identifier of the role with which the pipe reads. Changed in place (`updatePipe`). */
  iamRole?: Optional<string>;
  /** Connection string of the storage account. Secret. Changed in place (`updatePipe`). */
  connectionString?: Optional<string>;
  /** Pattern of paths inside the container. Changed in place (`updatePipe`). */
  path?: Optional<string>;
  /** Name of the container. Changed in place (`updatePipe`). */
  azureContainerName?: Optional<string>;
  /** Key of the account that owns the bucket. Secret, request only. Changed in place, always whole (`updatePipe`). */
  accessKey?: Optional<AccessKeyArgs>;
}

/** A Kinesis stream as the source of a pipe. */
export interface KinesisSourceArgs {
  /** Name of the stream. A change replaces the pipe. */
  streamName?: Optional<string>;
  /** Region of the stream. A change replaces the pipe. */
  region?: Optional<string>;
  /** Whether the pipe has throughput of its own at the stream. A change replaces the pipe. */
  useEnhancedFanOut?: Optional<boolean>;
  /** Where to begin, a whole number; the API document gives no unit, comparable services take UNIX seconds. A change replaces the pipe. */
  timestamp?: Optional<number>;
  /** Identifier of the role with which the pipe reads. Changed in place (`updatePipe`). */
  iamRole?: Optional<string>;
  /** Key of the account that owns the stream. Secret, request only. Changed in place, always whole (`updatePipe`). */
  accessKey?: Optional<AccessKeyArgs>;
}

/** How a Postgres pipe replicates. */
export interface PostgresSettingsArgs {
  /** Seconds between two rounds of replication. Changed in place (`updatePipe`). */
  syncIntervalSeconds?: Optional<number>;
  /** Rows fetched in one batch. Changed in place (`updatePipe`). */
  pullBatchSize?: Optional<number>;
  /** Name of the publication. A change replaces the pipe. */
  publicationName?: Optional<string>;
  /** Name of the replication slot. A change replaces the pipe. */
  replicationSlotName?: Optional<string>;
  /** Whether columns that can be null become nullable. A change replaces the pipe. */
  allowNullableColumns?: Optional<boolean>;
  /** Parallel readers of one table during the first load. A change replaces the pipe. */
  initialLoadParallelism?: Optional<number>;
  /** Rows in one part of a table during the first load. A change replaces the pipe. */
  snapshotNumRowsPerPartition?: Optional<number>;
  /** Tables loaded at the same time during the first load. A change replaces the pipe. */
  snapshotNumberOfParallelTables?: Optional<number>;
  /** Whether the replication slot survives a failover. A change replaces the pipe. */
  enableFailoverSlots?: Optional<boolean>;
}

/** One replicated table. `sourceSchemaName`, `sourceTable` and `targetTable` together are its identity. */
export interface TableMappingArgs {
  /** Schema of the table in the source. */
  sourceSchemaName: pulumi.Input<string>;
  /** Name of the table in the source. */
  sourceTable: pulumi.Input<string>;
  /** Name of the table in the destination. */
  targetTable: pulumi.Input<string>;
  /** Columns that are left out; a set. */
  excludedColumns?: Optional<pulumi.Input<string>[]>;
  /** Whether `sortingKeys` hold instead of the source's primary key. */
  useCustomSortingKey?: Optional<boolean>;
  /** Columns by which the destination table is sorted, in this order. */
  sortingKeys?: Optional<pulumi.Input<string>[]>;
}

/** A Postgres database as the source of a pipe. */
export interface PostgresSourceArgs {
  /** Host name of the database server. Changed in place (`updatePipe`). */
  host?: Optional<string>;
  /** Port of the database server. Changed in place (`updatePipe`). */
  port?: Optional<number>;
  /** Name of the database. Changed in place (`updatePipe`). */
  database?: Optional<string>;
  /** How the pipe replicates. */
  settings?: Optional<PostgresSettingsArgs>;
  /**
   * The replicated tables; a set. Changed in place (`updatePipe`): the provider adds new tables and removes those that are no longer
   * declared; a changed table is removed in one request and added in the next.
   */
  tableMappings?: Optional<pulumi.Input<TableMappingArgs>[]>;
  /** Login at the database. Secret, request only. Changed in place, always whole (`updatePipe`). */
  credentials?: Optional<CredentialsArgs>;
}

/** All kinds as optional fields, so that the compiler names a mistake inside of a kind. `check` refuses a source of two kinds. */
interface AnySourceArgs {
  /** A Kafka cluster. Another kind of source replaces the pipe. */
  kafka?: Optional<KafkaSourceArgs>;
  /** Files in a bucket or container. Another kind of source replaces the pipe. */
  objectStorage?: Optional<ObjectStorageSourceArgs>;
  /** A Kinesis stream. Another kind of source replaces the pipe. */
  kinesis?: Optional<KinesisSourceArgs>;
  /** A Postgres database. Another kind of source replaces the pipe. */
  postgres?: Optional<PostgresSourceArgs>;
  /** Whether the service tries to read a sample first. Sent along with a create or update; a change alone sends nothing. */
  validateSamples?: Optional<boolean>;
}

/** A source that is a Kafka cluster. */
export interface KafkaPipeSourceArgs extends AnySourceArgs {
  /** The Kafka cluster. */
  kafka: pulumi.Input<KafkaSourceArgs>;
}

/** A source that is files in a bucket or container. */
export interface ObjectStoragePipeSourceArgs extends AnySourceArgs {
  /** The bucket or container. */
  objectStorage: pulumi.Input<ObjectStorageSourceArgs>;
}

/** A source that is a Kinesis stream. */
export interface KinesisPipeSourceArgs extends AnySourceArgs {
  /** The Kinesis stream. */
  kinesis: pulumi.Input<KinesisSourceArgs>;
}

/** A source that is a Postgres database. */
export interface PostgresPipeSourceArgs extends AnySourceArgs {
  /** The Postgres database. */
  postgres: pulumi.Input<PostgresSourceArgs>;
}

/** Where a pipe reads: exactly one of four kinds. Another kind replaces the pipe. */
export type PipeSourceArgs =
  KafkaPipeSourceArgs | ObjectStoragePipeSourceArgs | KinesisPipeSourceArgs | PostgresPipeSourceArgs;
