import { idKey, isUuid } from "../../values/uuid";
import {
  atomic,
  boolean,
  distinctBy,
  identifiedBy,
  integer,
  list,
  normalized,
  object,
  optional,
  restricted,
  sentAlong,
  text,
  unordered,
  updatable,
  variant,
  writeOnly,
} from "../../lifecycle/comparison/field-schema";

// `npm run reference` makes the arguments from these schemas: `kafkaSource` describes `KafkaSourceArgs`.

/** A user name and its password. Both are stored encrypted and shown as `[secret]`. */
const credentials = writeOnly(
  atomic(
    object({
      /** The user name. Request only: the API never returns it. */
      username: text,
      /** The password. Request only: the API never returns it. */
      password: text,
    }),
  ),
);

/** A key of a cloud account. Both parts are stored encrypted and shown as `[secret]`. */
const accessKey = writeOnly(
  atomic(
    object({
      /** The ID of the key. Request only: the API never returns it. */
      accessKeyId: text,
      /** The secret of the key. Request only: the API never returns it. */
      secretKey: text,
    }),
  ),
);

/** `YYYY-MM-DDTHH:MM` of a day and minute that exist. */
const isMinute = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(`${value}Z`)) &&
  new Date(`${value}Z`).toISOString().startsWith(value);

const minute = restricted(
  text,
  isMinute,
  "must be a date and time without seconds and zone, in the format YYYY-MM-DDTHH:MM",
);

/** Where a Kafka pipe begins to read. */
const kafkaOffset = object({
  /** Date and time without seconds and zone, in the format `YYYY-MM-DDTHH:MM`; comparable services take it as UTC. */
  timestamp: minute,
});

/** The schema registry of a Kafka pipe. A change of any part replaces the pipe. */
const schemaRegistry = object({
  /** Address of the registry. */
  url: optional(text),
  /** Certificate of the authority that signed the registry's certificate, PEM. */
  caCertificate: optional(text),
  /** Credentials for the registry. */
  credentials: optional(credentials),
});

/** The API does not say that these ids are UUIDs; those that are may be written in capitals. */
const sameUuid = (id: string): string => (isUuid(id) ? idKey(id) : id);

/** A Kafka cluster as the source of a pipe. */
const kafkaSource = object({
  /** The brokers, `host:port` separated by commas. */
  brokers: optional(text),
  /** The topics, separated by commas. */
  topics: optional(text),
  /** The consumer group. Default: the service chooses a name. */
  consumerGroup: optional(text),
  /** Identifier of the role with which the pipe reads. */
  iamRole: updatable(optional(text)),
  /** Where to begin. Default: as the service decides. */
  offset: optional(kafkaOffset),
  /** The schema registry. */
  schemaRegistry: optional(schemaRegistry),
  /** Certificate of the authority that signed the brokers' certificates, PEM. */
  caCertificate: updatable(optional(text)),
  /** IDs of the reverse private endpoints through which the brokers are reached; a set. */
  reversePrivateEndpointIds: updatable(unordered(normalized(optional(list(text)), sameUuid))),
  /** Credentials for the brokers. */
  credentials: updatable(optional(credentials)),
});

/** Files in a bucket or container as the source of a pipe. */
const objectStorageSource = object({
  /** Where the objects are; can contain wildcards. */
  url: optional(text),
  /** Delimiter between the fields of a line. */
  delimiter: optional(text),
  /** Name of the compression, or the service's value for automatic detection. */
  compression: optional(text),
  /** Whether the pipe loads new objects as they appear, or loads the existing ones once. */
  isContinuous: optional(boolean),
  /** Address of a queue that announces new objects. */
  queueUrl: optional(text),
  /** Identifier of the role with which the pipe reads. */
  iamRole: updatable(optional(text)),
  /** Connection string of the storage account. */
  connectionString: updatable(optional(text)),
  /** Pattern of paths inside the container. */
  path: updatable(optional(text)),
  /** Name of the container. */
  azureContainerName: updatable(optional(text)),
  /** Key of the account that owns the bucket. */
  accessKey: updatable(optional(accessKey)),
});

/** A Kinesis stream as the source of a pipe. */
const kinesisSource = object({
  /** Name of the stream. */
  streamName: optional(text),
  /** Region of the stream. */
  region: optional(text),
  /** Whether the pipe uses enhanced fan-out, which has dedicated throughput. */
  useEnhancedFanOut: optional(boolean),
  /**
   * Where to begin, a whole number; the API document gives no unit, comparable services take UNIX seconds.
   */
  timestamp: optional(integer),
  /** Identifier of the role with which the pipe reads. */
  iamRole: updatable(optional(text)),
  /** Key of the account that owns the stream. */
  accessKey: updatable(optional(accessKey)),
});

/** How a Postgres pipe replicates. */
const postgresSettings = object({
  /** Seconds between two rounds of replication. */
  syncIntervalSeconds: updatable(optional(integer)),
  /** Rows fetched in one batch. */
  pullBatchSize: updatable(optional(integer)),
  /** Name of the publication. */
  publicationName: optional(text),
  /** Name of the replication slot. */
  replicationSlotName: optional(text),
  /** Whether columns that can be null become nullable. */
  allowNullableColumns: optional(boolean),
  /** Parallel readers of one table during the first load. */
  initialLoadParallelism: optional(integer),
  /** Rows in one part of a table during the first load. */
  snapshotNumRowsPerPartition: optional(integer),
  /** Tables loaded at the same time during the first load. */
  snapshotNumberOfParallelTables: optional(integer),
  /** Whether the replication slot survives a failover. */
  enableFailoverSlots: optional(boolean),
});

/** One replicated table. `sourceSchemaName`, `sourceTable` and `targetTable` together are its identity. */
const tableMapping = object({
  /** Schema of the table in the source. */
  sourceSchemaName: text,
  /** Name of the table in the source. */
  sourceTable: text,
  /** Name of the table in the destination. */
  targetTable: text,
  /** Columns that are left out; a set. */
  excludedColumns: unordered(optional(list(text))),
  /** Whether to sort by `sortingKeys` instead of the source's primary key. */
  useCustomSortingKey: optional(boolean),
  /** Columns by which the destination table is sorted, in this order. */
  sortingKeys: optional(list(text)),
});

/** The members that tell one table mapping from another. */
export const MAPPING_IDENTITY = ["sourceSchemaName", "sourceTable", "targetTable"] as const;

/** A Postgres database as the source of a pipe. */
const postgresSource = object({
  /** Host name of the database server. */
  host: updatable(optional(text)),
  /** Port of the database server. */
  port: updatable(optional(integer)),
  /** Name of the database. */
  database: updatable(optional(text)),
  /** How the pipe replicates. */
  settings: optional(postgresSettings),
  /**
   * The replicated tables; a set. Changed in place (`updatePipe`): the provider adds new tables and removes
   * those that are no longer declared; a changed table is removed in one request and added in the next.
   */
  tableMappings: updatable(
    distinctBy(identifiedBy(optional(list(tableMapping)), ...MAPPING_IDENTITY), "targetTable"),
  ),
  /** Credentials for the database. */
  credentials: updatable(optional(credentials)),
});

const kinds = {
  /** A Kafka cluster. */
  kafka: variant(optional(kafkaSource)),
  /** Files in a bucket or container. */
  objectStorage: variant(optional(objectStorageSource)),
  /** A Kinesis stream. */
  kinesis: variant(optional(kinesisSource)),
  /** A Postgres database. */
  postgres: variant(optional(postgresSource)),
};

export type SourceKind = keyof typeof kinds;

/** The kinds of source, of which a pipe has exactly one. */
export const SOURCE_KINDS = Object.keys(kinds) as SourceKind[];

/** Where a pipe reads: exactly one of four kinds. Another kind replaces the pipe. */
export const pipeSource = object({
  ...kinds,
  /** Whether the service validates the source by reading a sample first. */
  validateSamples: sentAlong(optional(boolean)),
});
