import { z } from "zod";
import { SECRET_NAMES } from "../../api/secret-names";
import { idKey, isUuid } from "../../uuid";
import {
  sentAlong,
  createOnly,
  fieldsOf,
  identifiedBy,
  immutable,
  providerOnly,
  normalized,
  unordered,
  updatable,
  variant,
  atomic,
  writeOnly,
} from "../../core/fields";
import type { DraftInputs, Inputs } from "../../core/definition";
import { adoptedId, deletionPolicy, flag, integer, replacementPolicy, scopeId, text } from "../schema-types";

const login = () => writeOnly(atomic(z.strictObject({ username: text(), password: text() })));
const accessKey = () => writeOnly(atomic(z.strictObject({ accessKeyId: text(), secretKey: text() })));

/** `YYYY-MM-DDTHH:MM` of a day and minute that exist. */
const isMinute = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(`${value}Z`)) &&
  new Date(`${value}Z`).toISOString().startsWith(value);

const minute = () =>
  z
    .string()
    .refine(isMinute, "must be a date and time without seconds and zone, in the form YYYY-MM-DDTHH:MM");

/** The API does not say that these ids are UUIDs; those that are may be written in capitals. */
const sameUuid = (id: string): string => (isUuid(id) ? idKey(id) : id);

const kafka = () =>
  z.strictObject({
    brokers: text().optional(),
    topics: text().optional(),
    consumerGroup: text().optional(),
    iamRole: updatable(text().optional()),
    offset: z.strictObject({ timestamp: minute() }).optional(),
    schemaRegistry: z
      .strictObject({
        url: text().optional(),
        caCertificate: text().optional(),
        credentials: login().optional(),
      })
      .optional(),
    caCertificate: updatable(text().optional()),
    reversePrivateEndpointIds: updatable(unordered(normalized(z.array(text()).optional(), sameUuid))),
    credentials: updatable(login().optional()),
  });

const objectStorage = () =>
  z.strictObject({
    url: text().optional(),
    delimiter: text().optional(),
    compression: text().optional(),
    isContinuous: flag().optional(),
    queueUrl: text().optional(),
    iamRole: updatable(text().optional()),
    connectionString: updatable(text().optional()),
    path: updatable(text().optional()),
    azureContainerName: updatable(text().optional()),
    accessKey: updatable(accessKey().optional()),
  });

const kinesis = () =>
  z.strictObject({
    streamName: text().optional(),
    region: text().optional(),
    useEnhancedFanOut: flag().optional(),
    timestamp: integer().optional(),
    iamRole: updatable(text().optional()),
    accessKey: updatable(accessKey().optional()),
  });

const tableMapping = () =>
  z.strictObject({
    sourceSchemaName: text(),
    sourceTable: text(),
    targetTable: text(),
    excludedColumns: unordered(z.array(text()).optional()),
    useCustomSortingKey: flag().optional(),
    sortingKeys: z.array(text()).optional(),
  });

/** The members that tell one table mapping from another. */
export const MAPPING_IDENTITY = ["sourceSchemaName", "sourceTable", "targetTable"] as const;

const postgres = () =>
  z.strictObject({
    host: updatable(text().optional()),
    port: updatable(integer().optional()),
    database: updatable(text().optional()),
    settings: z
      .strictObject({
        syncIntervalSeconds: updatable(integer().optional()),
        pullBatchSize: updatable(integer().optional()),
        publicationName: text().optional(),
        replicationSlotName: text().optional(),
        allowNullableColumns: flag().optional(),
        initialLoadParallelism: integer().optional(),
        snapshotNumRowsPerPartition: integer().optional(),
        snapshotNumberOfParallelTables: integer().optional(),
        enableFailoverSlots: flag().optional(),
      })
      .optional(),
    tableMappings: updatable(identifiedBy(z.array(tableMapping()).optional(), ...MAPPING_IDENTITY)),
    credentials: updatable(login().optional()),
  });

const sources = {
  kafka: variant(kafka().optional()),
  objectStorage: variant(objectStorage().optional()),
  kinesis: variant(kinesis().optional()),
  postgres: variant(postgres().optional()),
};

/** The kinds of source, of which a pipe has exactly one. */
export const SOURCE_KINDS = Object.keys(sources) as (keyof typeof sources)[];

const source = () => z.strictObject({ ...sources, validateSamples: sentAlong(flag().optional()) });

const destination = () =>
  z.strictObject({
    database: text().optional(),
    table: text().optional(),
    managedTable: flag().optional(),
    tableDefinition: z
      .strictObject({
        engine: z
          .strictObject({
            versionColumnId: text().optional(),
            columnIds: z.array(text()).optional(),
          })
          .optional(),
        sortingKey: z.array(text()).optional(),
        partitionBy: text().optional(),
        primaryKey: text().optional(),
      })
      .optional(),
    columns: updatable(
      identifiedBy(z.array(z.strictObject({ name: text(), type: text() })).optional(), "name"),
    ),
    roles: createOnly(unordered(z.array(text()).optional())),
  });

const scaling = () =>
  z.strictObject({
    replicas: integer().optional(),
    concurrency: integer().optional(),
    replicaCpuMillicores: integer().optional(),
    replicaMemoryGb: z.number().optional(),
  });

const settings = () =>
  z.strictObject({
    streamingMaxInsertWaitMs: integer().optional(),
    objectStorageConcurrency: integer().optional(),
    objectStoragePollingIntervalMs: integer().optional(),
    objectStorageMaxInsertBytes: integer().optional(),
    objectStorageMaxFileCount: integer().optional(),
    dbmsMaxThreads: integer().optional(),
    dbmsMaxInsertThreads: integer().optional(),
    dbmsMinInsertBlockSizeBytes: integer().optional(),
    dbmsMaxDownloadThreads: integer().optional(),
    dbmsParallelDistributedInsertSelect: integer().optional(),
    objectStorageUseClusterFunction: flag().optional(),
    dbmsParallelViewProcessing: flag().optional(),
  });

/** The fields of a pipe and what a change of each means. The one table behind check, diff, update, read and reference. */
export const pipeSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  name: updatable(text().optional()),
  source: immutable(source()),
  destination: immutable(destination().optional()),
  fieldMappings: updatable(
    identifiedBy(
      z.array(z.strictObject({ sourceField: text(), destinationField: text() })).optional(),
      "sourceField",
      "destinationField",
    ),
  ),
  scaling: immutable(scaling().optional()),
  settings: updatable(settings().optional()),
  adopt: adoptedId(),
  deletionPolicy: deletionPolicy(),
  replacementPolicy: replacementPolicy(),
  waitFor: providerOnly(
    atomic(
      z.strictObject({
        states: z.array(text()).min(1, "must name at least one state"),
        timeoutSeconds: z.number().positive("must be more than 0").optional(),
      }),
    ).optional(),
  ),
});

/** The inputs of a pipe: after the check, and during it. */
export type PipeInputs = Inputs<typeof pipeSchema>;
export type PipeDraft = DraftInputs<typeof pipeSchema>;

/** The same with their metadata. */
export const pipeFields = fieldsOf(pipeSchema, SECRET_NAMES);
