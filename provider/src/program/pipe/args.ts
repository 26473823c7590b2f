// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, Optional, ReplacementPolicy } from "../argument-types";

/** Where a Kafka pipe begins to read. */
export interface KafkaOffsetArgs {
  /**
   * Date and time without seconds and zone, in the format `YYYY-MM-DDTHH:MM`; comparable services take it as
   * UTC. A change replaces the pipe.
   */
  timestamp: pulumi.Input<string>;
}

/** A user name and its password. Both are stored encrypted and shown as `[secret]`. */
export interface CredentialsArgs {
  /** The user name. Request only: the API never returns it. */
  username: pulumi.Input<string>;
  /** The password. Request only: the API never returns it. */
  password: pulumi.Input<string>;
}

/** The schema registry of a Kafka pipe. A change of any part replaces the pipe. */
export interface SchemaRegistryArgs {
  /** Address of the registry. A change replaces the pipe. */
  url?: Optional<string>;
  /** Certificate of the authority that signed the registry's certificate, PEM. A change replaces the pipe. */
  caCertificate?: Optional<string>;
  /** Credentials for the registry. Secret, request only. A change replaces the pipe. */
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
  /**
   * Certificate of the authority that signed the brokers' certificates, PEM. Changed in place (`updatePipe`).
   */
  caCertificate?: Optional<string>;
  /**
   * IDs of the reverse private endpoints through which the brokers are reached; a set. Changed in place
   * (`updatePipe`).
   */
  reversePrivateEndpointIds?: Optional<pulumi.Input<string>[]>;
  /** Credentials for the brokers. Secret, request only. Changed in place, always whole (`updatePipe`). */
  credentials?: Optional<CredentialsArgs>;
}

/** A key of a cloud account. Both parts are stored encrypted and shown as `[secret]`. */
export interface AccessKeyArgs {
  /** The ID of the key. Request only: the API never returns it. */
  accessKeyId: pulumi.Input<string>;
  /** The secret of the key. Request only: the API never returns it. */
  secretKey: pulumi.Input<string>;
}

/** Files in a bucket or container as the source of a pipe. */
export interface ObjectStorageSourceArgs {
  /** Where the objects are; can contain wildcards. A change replaces the pipe. */
  url?: Optional<string>;
  /** Delimiter between the fields of a line. A change replaces the pipe. */
  delimiter?: Optional<string>;
  /** Name of the compression, or the service's value for automatic detection. A change replaces the pipe. */
  compression?: Optional<string>;
  /**
   * Whether the pipe loads new objects as they appear, or loads the existing ones once. A change replaces the
   * pipe.
   */
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
  /**
   * Key of the account that owns the bucket. Secret, request only. Changed in place, always whole
   * (`updatePipe`).
   */
  accessKey?: Optional<AccessKeyArgs>;
}

/** A Kinesis stream as the source of a pipe. */
export interface KinesisSourceArgs {
  /** Name of the stream. A change replaces the pipe. */
  streamName?: Optional<string>;
  /** Region of the stream. A change replaces the pipe. */
  region?: Optional<string>;
  /** Whether the pipe uses enhanced fan-out, which has dedicated throughput. A change replaces the pipe. */
  useEnhancedFanOut?: Optional<boolean>;
  /**
   * Where to begin, a whole number; the API document gives no unit, comparable services take UNIX seconds. A
   * change replaces the pipe.
   */
  timestamp?: Optional<number>;
  /** Identifier of the role with which the pipe reads. Changed in place (`updatePipe`). */
  iamRole?: Optional<string>;
  /**
   * Key of the account that owns the stream. Secret, request only. Changed in place, always whole
   * (`updatePipe`).
   */
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
  /** Whether to sort by `sortingKeys` instead of the source's primary key. */
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
   * The replicated tables; a set. Changed in place (`updatePipe`): the provider adds new tables and removes
   * those that are no longer declared; a changed table is removed in one request and added in the next.
   */
  tableMappings?: Optional<pulumi.Input<TableMappingArgs>[]>;
  /** Credentials for the database. Secret, request only. Changed in place, always whole (`updatePipe`). */
  credentials?: Optional<CredentialsArgs>;
}

/**
 * All kinds as optional fields, so that the compiler names a mistake inside of a kind. `check` refuses a
 * source of two kinds.
 */
interface AnySourceArgs {
  /** A Kafka cluster. Another kind of source replaces the pipe. */
  kafka?: Optional<KafkaSourceArgs>;
  /** Files in a bucket or container. Another kind of source replaces the pipe. */
  objectStorage?: Optional<ObjectStorageSourceArgs>;
  /** A Kinesis stream. Another kind of source replaces the pipe. */
  kinesis?: Optional<KinesisSourceArgs>;
  /** A Postgres database. Another kind of source replaces the pipe. */
  postgres?: Optional<PostgresSourceArgs>;
  /**
   * Whether the service validates the source by reading a sample first. Sent along with a create or update; a
   * change alone sends nothing.
   */
  validateSamples?: Optional<boolean>;
}

/** A source that is a Kafka cluster. */
export interface KafkaPipeSourceArgs extends AnySourceArgs {
  /** A Kafka cluster. Another kind of source replaces the pipe. */
  kafka: pulumi.Input<KafkaSourceArgs>;
}

/** A source that is files in a bucket or container. */
export interface ObjectStoragePipeSourceArgs extends AnySourceArgs {
  /** Files in a bucket or container. Another kind of source replaces the pipe. */
  objectStorage: pulumi.Input<ObjectStorageSourceArgs>;
}

/** A source that is a Kinesis stream. */
export interface KinesisPipeSourceArgs extends AnySourceArgs {
  /** A Kinesis stream. Another kind of source replaces the pipe. */
  kinesis: pulumi.Input<KinesisSourceArgs>;
}

/** A source that is a Postgres database. */
export interface PostgresPipeSourceArgs extends AnySourceArgs {
  /** A Postgres database. Another kind of source replaces the pipe. */
  postgres: pulumi.Input<PostgresSourceArgs>;
}

/** Where a pipe reads: exactly one of four kinds. Another kind replaces the pipe. */
export type PipeSourceArgs =
  KafkaPipeSourceArgs | ObjectStoragePipeSourceArgs | KinesisPipeSourceArgs | PostgresPipeSourceArgs;

/** The table engine of a managed table. A change replaces the pipe. */
export interface TableEngineArgs {
  /** Column that holds the version of a row. A change replaces the pipe. */
  versionColumnId?: Optional<string>;
  /** Columns that the engine works on. A change replaces the pipe. */
  columnIds?: Optional<pulumi.Input<string>[]>;
}

/** How the service creates a managed table. A change of any part replaces the pipe. */
export interface TableDefinitionArgs {
  /** The table engine. A change replaces the pipe. */
  engine?: Optional<TableEngineArgs>;
  /** Columns by which the table is sorted, in this order. A change replaces the pipe. */
  sortingKey?: Optional<pulumi.Input<string>[]>;
  /** Expression by which the table is divided. A change replaces the pipe. */
  partitionBy?: Optional<string>;
  /** The primary key. A change replaces the pipe. */
  primaryKey?: Optional<string>;
}

/** One column of the destination table. */
export interface DestinationColumnArgs {
  /** Name of the column. */
  name: pulumi.Input<string>;
  /** Type of the column, in the database's words. */
  type: pulumi.Input<string>;
}

/** The table that a pipe loads into. */
export interface PipeDestinationArgs {
  /** Name of the database. A change replaces the pipe. */
  database?: Optional<string>;
  /** Name of the table. A change replaces the pipe. */
  table?: Optional<string>;
  /** Whether the service creates the table. A change replaces the pipe. */
  managedTable?: Optional<boolean>;
  /** How the service creates the table. A change replaces the pipe. */
  tableDefinition?: Optional<TableDefinitionArgs>;
  /** The columns to load; each name occurs once. Changed in place (`updatePipe`). */
  columns?: Optional<pulumi.Input<DestinationColumnArgs>[]>;
  /**
   * Roles of the pipe's database user; a set. Given on create only and never returned: a change replaces the
   * pipe.
   */
  roles?: Optional<pulumi.Input<string>[]>;
}

/** Which field of the source fills which column. */
export interface FieldMappingArgs {
  /** Name of the field in the source. */
  sourceField: pulumi.Input<string>;
  /** Name of the column in the destination. */
  destinationField: pulumi.Input<string>;
}

/** The size of a pipe. A change of any part replaces the pipe. */
export interface ScalingArgs {
  /** Number of replicas. Default: as the service decides. A change replaces the pipe. */
  replicas?: Optional<number>;
  /** Concurrency of a replica. Default: as the service decides. A change replaces the pipe. */
  concurrency?: Optional<number>;
  /**
   * CPU of a replica in thousandths of a core. Default: as the service decides. A change replaces the pipe.
   */
  replicaCpuMillicores?: Optional<number>;
  /**
   * Memory of a replica in GB; may be a fraction. Default: as the service decides. A change replaces the
   * pipe.
   */
  replicaMemoryGb?: Optional<number>;
}

/** The settings of a pipe. Each is changed in place (`updatePipe`); the service decides what is not given. */
export interface PipeSettingsArgs {
  /** Longest wait before a batch of a stream is inserted, in milliseconds. Changed in place. */
  streamingMaxInsertWaitMs?: Optional<number>;
  /** Number of objects loaded at the same time. Changed in place. */
  objectStorageConcurrency?: Optional<number>;
  /** Polling interval for new objects, in milliseconds. Changed in place. */
  objectStoragePollingIntervalMs?: Optional<number>;
  /** Maximum size of an insert batch of objects, in bytes. Changed in place. */
  objectStorageMaxInsertBytes?: Optional<number>;
  /** Maximum number of objects in an insert batch. Changed in place. */
  objectStorageMaxFileCount?: Optional<number>;
  /** Maximum number of threads of a query of the pipe. Changed in place. */
  dbmsMaxThreads?: Optional<number>;
  /** Maximum number of threads of an insert. Changed in place. */
  dbmsMaxInsertThreads?: Optional<number>;
  /** Smallest block that is inserted, in bytes. Changed in place. */
  dbmsMinInsertBlockSizeBytes?: Optional<number>;
  /** Maximum number of threads of a download. Changed in place. */
  dbmsMaxDownloadThreads?: Optional<number>;
  /** How the database distributes an INSERT SELECT across nodes, as a number. Changed in place. */
  dbmsParallelDistributedInsertSelect?: Optional<number>;
  /** Whether objects are read by all nodes of the cluster. Changed in place. */
  objectStorageUseClusterFunction?: Optional<boolean>;
  /** Whether the views of the table are filled in parallel. Changed in place. */
  dbmsParallelViewProcessing?: Optional<boolean>;
}

/** What to wait for after a create or update. */
export interface WaitForArgs {
  /**
   * States to wait for, of which the first one ends the wait, such as `["Running"]`, in any case. The API
   * document lists no values. `Completed`, in which a pipe has loaded all that it was to load, ends every
   * wait; `Failed` and `InternalError` end it with an error.
   */
  states: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How long to wait at most, in seconds. After that the run fails and the pipe stays in the stack; the next
   * `pulumi up` resumes waiting.
   * @default 600
   */
  timeoutSeconds?: Optional<number>;
}

/** The arguments of {@link Pipe}. */
export interface PipeArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the pipe. */
  organizationId?: Optional<string>;
  /**
   * The service that the pipe belongs to, a UUID. Default: `datapipes:serviceId`. A change replaces the pipe.
   */
  serviceId?: Optional<string>;
  /** Name of the pipe. Default: the logical name of the resource. Changed in place (`updatePipe`). */
  name?: Optional<string>;
  /** Where the pipe reads: exactly one kind. */
  source: pulumi.Input<PipeSourceArgs>;
  /** Where the pipe writes. */
  destination?: Optional<PipeDestinationArgs>;
  /**
   * Which field of the source fills which column; a set. It must cover every column of the destination.
   * Changed in place, always together with the destination's columns (`updatePipe`); the table itself is not
   * altered.
   */
  fieldMappings?: Optional<pulumi.Input<FieldMappingArgs>[]>;
  /** The size of the pipe. A change replaces the pipe. */
  scaling?: Optional<ScalingArgs>;
  /** Settings of the pipe. Changed in place, changed members only (`updatePipe`). */
  settings?: Optional<PipeSettingsArgs>;
  /**
   * ID of an existing pipe, a UUID, that the resource takes over instead of creating one. The provider
   * compares the pipe with the program (`listPipes`), sends the changes (`updatePipe`), and fails if a field
   * differs that no update can change. Only one resource of a program can adopt an ID. Kept in state, never
   * sent.
   */
  adopt?: Optional<string>;
  /**
   * What happens to the pipe when it is replaced or no longer declared. `"retain"` leaves it running, and a
   * preview shows `delete[retain]`; `"delete"` sends DELETE to the pipe's path, which the API document does
   * not describe and not every service offers. The provider deletes nothing that another resource of the run
   * or of the stack has; resources that `--target` or `--exclude` leaves out are known only from the state. A
   * transform that sets `"delete"` must set the option `retainOnDelete: false`, too. Kept in state, never
   * sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
  /**
   * Whether the provider may create a second pipe for the same data. `"refuse"` fails the preview of a change
   * that replaces the pipe, and of a pipe that is to load the same source into the same table as another
   * running pipe of the service, even if the run would delete that one. `"allow"` creates it. Two stacks or
   * provider instances that create such pipes at the same moment do not see each other; `datapipes status`
   * shows them. Kept in state, never sent.
   * @default "refuse"
   */
  replacementPolicy?: Optional<ReplacementPolicy>;
  /**
   * What to wait for after a create or update, polling `listPipes`. Default: no wait. Kept in state, never
   * sent.
   */
  waitFor?: Optional<WaitForArgs>;
}
