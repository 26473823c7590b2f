import { z } from "zod";
import { idKey, isUuid } from "../../values/uuid";
import {
  atomic,
  distinctBy,
  identifiedBy,
  normalized,
  sentAlong,
  unordered,
  updatable,
  variant,
  writeOnly,
} from "../../lifecycle/comparison/fields";
import { boolean, integer, text } from "../schema-types";

// `npm run reference` makes the arguments from these schemas: `kafkaSource` describes `KafkaSourceArgs`.

/** A user name and its password. Both are stored encrypted and shown as `[secret]`. */
const credentials = () =>
  writeOnly(
    atomic(
      z.strictObject({
        /** The user name. Request only: the API never returns it. */
        username: text(),
        /** The password. Request only: the API never returns it. */
        password: text(),
      }),
    ),
  );

/** A key of a cloud account. Both parts are stored encrypted and shown as `[secret]`. */
const accessKey = () =>
  writeOnly(
    atomic(
      z.strictObject({
        /** The ID of the key. Request only: the API never returns it. */
        accessKeyId: text(),
        /** The secret of the key. Request only: the API never returns it. */
        secretKey: text(),
      }),
    ),
  );

/** `YYYY-MM-DDTHH:MM` of a day and minute that exist. */
const isMinute = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(`${value}Z`)) &&
  new Date(`${value}Z`).toISOString().startsWith(value);

const minute = () =>
  z
    .string()
    .refine(isMinute, "must be a date and time without seconds and zone, in the format YYYY-MM-DDTHH:MM");

/** Where a Kafka pipe begins to read. */
const kafkaOffset = () =>
  z.strictObject({
    /** Date and time without seconds and zone, in the format `YYYY-MM-DDTHH:MM`; comparable services take it as UTC. */
    timestamp: minute(),
  });

/** The schema registry of a Kafka pipe. A change of any part replaces the pipe. */
const schemaRegistry = () =>
  z.strictObject({
    /** Address of the registry. */
    url: text().optional(),
    /** Certificate of the authority that signed the registry's certificate, PEM. */
    caCertificate: text().optional(),
    /** Credentials for the registry. */
    credentials: credentials().optional(),
  });

/** The API does not say that these ids are UUIDs; those that are may be written in capitals. */
const sameUuid = (id: string): string => (isUuid(id) ? idKey(id) : id);

/** A Kafka cluster as the source of a pipe. */
const kafkaSource = () =>
  z.strictObject({
    /** The brokers, `host:port` separated by commas. */
    brokers: text().optional(),
    /** The topics, separated by commas. */
    topics: text().optional(),
    /** The consumer group. Default: the service chooses a name. */
    consumerGroup: text().optional(),
    /** Identifier of the role with which the pipe reads. */
    iamRole: updatable(text().optional()),
    /** Where to begin. Default: as the service decides. */
    offset: kafkaOffset().optional(),
    /** The schema registry. */
    schemaRegistry: schemaRegistry().optional(),
    /** Certificate of the authority that signed the brokers' certificates, PEM. */
    caCertificate: updatable(text().optional()),
    /** IDs of the reverse private endpoints through which the brokers are reached; a set. */
    reversePrivateEndpointIds: updatable(unordered(normalized(z.array(text()).optional(), sameUuid))),
    /** Credentials for the brokers. */
    credentials: updatable(credentials().optional()),
  });

/** Files in a bucket or container as the source of a pipe. */
const objectStorageSource = () =>
  z.strictObject({
    /** Where the objects are; can contain wildcards. */
    url: text().optional(),
    /** Delimiter between the fields of a line. */
    delimiter: text().optional(),
    /** Name of the compression, or the service's value for automatic detection. */
    compression: text().optional(),
    /** Whether the pipe loads new objects as they appear, or loads the existing ones once. */
    isContinuous: boolean().optional(),
    /** Address of a queue that announces new objects. */
    queueUrl: text().optional(),
    /** Identifier of the role with which the pipe reads. */
    iamRole: updatable(text().optional()),
    /** Connection string of the storage account. */
    connectionString: updatable(text().optional()),
    /** Pattern of paths inside the container. */
    path: updatable(text().optional()),
    /** Name of the container. */
    azureContainerName: updatable(text().optional()),
    /** Key of the account that owns the bucket. */
    accessKey: updatable(accessKey().optional()),
  });

/** A Kinesis stream as the source of a pipe. */
const kinesisSource = () =>
  z.strictObject({
    /** Name of the stream. */
    streamName: text().optional(),
    /** Region of the stream. */
    region: text().optional(),
    /** Whether the pipe uses enhanced fan-out, which has dedicated throughput. */
    useEnhancedFanOut: boolean().optional(),
    /**
     * Where to begin, a whole number; the API document gives no unit, comparable services take UNIX seconds.
     */
    timestamp: integer().optional(),
    /** Identifier of the role with which the pipe reads. */
    iamRole: updatable(text().optional()),
    /** Key of the account that owns the stream. */
    accessKey: updatable(accessKey().optional()),
  });

/** How a Postgres pipe replicates. */
const postgresSettings = () =>
  z.strictObject({
    /** Seconds between two rounds of replication. */
    syncIntervalSeconds: updatable(integer().optional()),
    /** Rows fetched in one batch. */
    pullBatchSize: updatable(integer().optional()),
    /** Name of the publication. */
    publicationName: text().optional(),
    /** Name of the replication slot. */
    replicationSlotName: text().optional(),
    /** Whether columns that can be null become nullable. */
    allowNullableColumns: boolean().optional(),
    /** Parallel readers of one table during the first load. */
    initialLoadParallelism: integer().optional(),
    /** Rows in one part of a table during the first load. */
    snapshotNumRowsPerPartition: integer().optional(),
    /** Tables loaded at the same time during the first load. */
    snapshotNumberOfParallelTables: integer().optional(),
    /** Whether the replication slot survives a failover. */
    enableFailoverSlots: boolean().optional(),
  });

/** One replicated table. `sourceSchemaName`, `sourceTable` and `targetTable` together are its identity. */
const tableMapping = () =>
  z.strictObject({
    /** Schema of the table in the source. */
    sourceSchemaName: text(),
    /** Name of the table in the source. */
    sourceTable: text(),
    /** Name of the table in the destination. */
    targetTable: text(),
    /** Columns that are left out; a set. */
    excludedColumns: unordered(z.array(text()).optional()),
    /** Whether to sort by `sortingKeys` instead of the source's primary key. */
    useCustomSortingKey: boolean().optional(),
    /** Columns by which the destination table is sorted, in this order. */
    sortingKeys: z.array(text()).optional(),
  });

/** The members that tell one table mapping from another. */
export const MAPPING_IDENTITY = ["sourceSchemaName", "sourceTable", "targetTable"] as const;

/** A Postgres database as the source of a pipe. */
const postgresSource = () =>
  z.strictObject({
    /** Host name of the database server. */
    host: updatable(text().optional()),
    /** Port of the database server. */
    port: updatable(integer().optional()),
    /** Name of the database. */
    database: updatable(text().optional()),
    /** How the pipe replicates. */
    settings: postgresSettings().optional(),
    /**
     * The replicated tables; a set. Changed in place (`updatePipe`): the provider adds new tables and removes
     * those that are no longer declared; a changed table is removed in one request and added in the next.
     */
    tableMappings: updatable(
      distinctBy(identifiedBy(z.array(tableMapping()).optional(), ...MAPPING_IDENTITY), "targetTable"),
    ),
    /** Credentials for the database. */
    credentials: updatable(credentials().optional()),
  });

const kinds = {
  /** A Kafka cluster. */
  kafka: variant(kafkaSource().optional()),
  /** Files in a bucket or container. */
  objectStorage: variant(objectStorageSource().optional()),
  /** A Kinesis stream. */
  kinesis: variant(kinesisSource().optional()),
  /** A Postgres database. */
  postgres: variant(postgresSource().optional()),
};

export type SourceKind = keyof typeof kinds;

/** The kinds of source, of which a pipe has exactly one. */
export const SOURCE_KINDS = Object.keys(kinds) as SourceKind[];

/** Where a pipe reads: exactly one of four kinds. Another kind replaces the pipe. */
export const pipeSource = () =>
  z.strictObject({
    ...kinds,
    /** Whether the service validates the source by reading a sample first. */
    validateSamples: sentAlong(boolean().optional()),
  });
