import { z } from "zod";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import {
  atomic,
  distinctBy,
  fieldsOf,
  identifiedBy,
  immutable,
  normalized,
  providerOnly,
  unordered,
  updatable,
  writeOnly,
} from "../../lifecycle/comparison/fields";
import type { DraftInputs, Inputs } from "../../lifecycle/program/definition";
import { printableValue } from "../../messages/printable";
import {
  adoptedId,
  deletionPolicy,
  boolean,
  integer,
  observedAnswer,
  replacementPolicy,
  scopeId,
  text,
} from "../schema-types";
import { pipeSource } from "./source-schema";

// `npm run reference` makes the arguments from these schemas: `tableEngine` describes `TableEngineArgs`.

/** The table engine of a managed table. A change replaces the pipe. */
const tableEngine = () =>
  z.strictObject({
    /** Column that holds the version of a row. */
    versionColumnId: text().optional(),
    /** Columns that the engine works on. */
    columnIds: z.array(text()).optional(),
  });

/** How the service creates a managed table. A change of any part replaces the pipe. */
const tableDefinition = () =>
  z.strictObject({
    /** The table engine. */
    engine: tableEngine().optional(),
    /** Columns by which the table is sorted, in this order. */
    sortingKey: z.array(text()).optional(),
    /** Expression by which the table is divided. */
    partitionBy: text().optional(),
    /** The primary key. */
    primaryKey: text().optional(),
  });

/** One column of the destination table. */
const destinationColumn = () =>
  z.strictObject({
    /** Name of the column. */
    name: text(),
    /** Type of the column, in the database's words. */
    type: text(),
  });

/** The table that a pipe loads into. */
const pipeDestination = () =>
  z.strictObject({
    /** Name of the database. */
    database: text().optional(),
    /** Name of the table. */
    table: text().optional(),
    /** Whether the service creates the table. */
    managedTable: boolean().optional(),
    /** How the service creates the table. */
    tableDefinition: tableDefinition().optional(),
    /** The columns to load; each name occurs once. */
    columns: updatable(identifiedBy(z.array(destinationColumn()).optional(), "name")),
    /**
     * Roles of the pipe's database user; a set. Given on create only and never returned: a change replaces the pipe.
     */
    roles: writeOnly(unordered(z.array(text()).optional())),
  });

/** Which field of the source fills which column. */
const fieldMapping = () =>
  z.strictObject({
    /** Name of the field in the source. */
    sourceField: text(),
    /** Name of the column in the destination. */
    destinationField: text(),
  });

/** The size of a pipe. A change of any part replaces the pipe. */
const scaling = () =>
  z.strictObject({
    /** Number of replicas. Default: as the service decides. */
    replicas: integer().optional(),
    /** Concurrency of a replica. Default: as the service decides. */
    concurrency: integer().optional(),
    /** CPU of a replica in thousandths of a core. Default: as the service decides. */
    replicaCpuMillicores: integer().optional(),
    /** Memory of a replica in GB; may be a fraction. Default: as the service decides. */
    replicaMemoryGb: z.number().optional(),
  });

/** The settings of a pipe. Each is changed in place (`updatePipe`); the service decides what is not given. */
const pipeSettings = () =>
  z.strictObject({
    /** Longest wait before a batch of a stream is inserted, in milliseconds. */
    streamingMaxInsertWaitMs: integer().optional(),
    /** Number of objects loaded at the same time. */
    objectStorageConcurrency: integer().optional(),
    /** Polling interval for new objects, in milliseconds. */
    objectStoragePollingIntervalMs: integer().optional(),
    /** Maximum size of an insert batch of objects, in bytes. */
    objectStorageMaxInsertBytes: integer().optional(),
    /** Maximum number of objects in an insert batch. */
    objectStorageMaxFileCount: integer().optional(),
    /** Maximum number of threads of a query of the pipe. */
    dbmsMaxThreads: integer().optional(),
    /** Maximum number of threads of an insert. */
    dbmsMaxInsertThreads: integer().optional(),
    /** Smallest block that is inserted, in bytes. */
    dbmsMinInsertBlockSizeBytes: integer().optional(),
    /** Maximum number of threads of a download. */
    dbmsMaxDownloadThreads: integer().optional(),
    /** How the database distributes an INSERT SELECT across nodes, as a number. */
    dbmsParallelDistributedInsertSelect: integer().optional(),
    /** Whether objects are read by all nodes of the cluster. */
    objectStorageUseClusterFunction: boolean().optional(),
    /** Whether the views of the table are filled in parallel. */
    dbmsParallelViewProcessing: boolean().optional(),
  });

/** What to wait for after a create or update. */
const waitFor = () =>
  atomic(
    z.strictObject({
      /**
       * States to wait for, of which the first one ends the wait, such as `["Running"]`, in any case. The API document
       * lists no values. `Completed`, in which a pipe has loaded all that it was to load, ends every wait; `Failed` and
       * `InternalError` end it with an error.
       */
      states: z.array(text()).min(1, "must name at least one state"),
      /**
       * How long to wait at most, in seconds. After that the run fails and the pipe stays in the stack; the
       * next `pulumi up` resumes waiting.
       * @default 600
       */
      timeoutSeconds: z.number().positive("must be more than 0").optional(),
    }),
  );

// What a change of each field means: the one table behind check, diff, update, read, class and reference.
/**
 * A pipe: it loads data from a source into a table of a service, once or continuously.
 *
 * `createPipe` creates it, `updatePipe` changes it, `listPipes` reads it. The outputs that mirror arguments have the
 * shape that the program declared, with the values found at the last refresh.
 */
export const pipeSchema = z.strictObject({
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId(),
  /** The service that the pipe belongs to, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId(),
  /** Name of the pipe. Default: the logical name of the resource. */
  name: updatable(normalized(text().optional(), printableValue)),
  /**
   * Where the pipe reads: exactly one kind.
   * @output Where the pipe reads. Credentials, access keys and connection strings in it are secret.
   */
  source: immutable(pipeSource()),
  /** Where the pipe writes. */
  destination: immutable(pipeDestination().optional()),
  /**
   * Which field of the source fills which column; a set. It must cover every column of the destination. Changed in
   * place, always together with the destination's columns (`updatePipe`); the table itself is not altered.
   */
  fieldMappings: updatable(
    distinctBy(
      identifiedBy(z.array(fieldMapping()).optional(), "destinationField"),
      "sourceField",
      "destinationField",
    ),
  ),
  /** The size of the pipe. */
  scaling: immutable(scaling().optional()),
  /** Settings of the pipe. */
  settings: updatable(pipeSettings().optional()),
  /**
   * ID of an existing pipe, a UUID, that the resource takes over instead of creating one. The provider
   * compares the pipe with the program (`listPipes`), sends the changes (`updatePipe`), and fails if a field
   * differs that no update can change. Only one resource of a program can adopt an ID.
   * @output ID of the adopted pipe; undefined if the resource created its pipe.
   */
  adopt: adoptedId(),
  /**
   * What happens to the pipe when it is replaced or no longer declared. `"retain"` leaves it running, and a
   * preview shows `delete[retain]`; `"delete"` sends DELETE to the pipe's path, which the API document does
   * not describe and not every service offers. The provider deletes nothing that another resource of the run
   * or of the stack has; resources that `--target` or `--exclude` leaves out are known only from the state. A
   * transform that sets `"delete"` must set the option `retainOnDelete: false`, too.
   * @default "retain"
   */
  deletionPolicy: deletionPolicy(),
  /**
   * Whether the provider may create a second pipe for the same data. `"refuse"` fails the preview of a change
   * that replaces the pipe, and of a pipe that is to load the same source into the same table as another
   * running pipe of the service, even if the run would delete that one. `"allow"` creates it. Two stacks or
   * provider instances that create such pipes at the same moment do not see each other; `datapipes status`
   * shows them.
   * @default "refuse"
   * @output Whether the provider may create a second pipe for the same data; undefined is `"refuse"`.
   */
  replacementPolicy: replacementPolicy(),
  /** What to wait for after a create or update, polling `listPipes`. Default: no wait. */
  waitFor: providerOnly(waitFor().optional()),
});

/** The outputs of a pipe that the program does not declare. */
export const pipeOutputs = z.strictObject({
  /** State of the pipe at the last write or refresh, such as `Running`. The API document lists no values. */
  state: text(),
  /** When the pipe was created, as the API writes it. */
  createdAt: text(),
  /** When the pipe was last changed, as the API writes it. */
  updatedAt: text(),
  /**
   * What the API last returned beyond the declared fields, or in another format than the program declares; setting names
   * in camelCase.
   */
  observed: observedAnswer(),
});

/** The inputs of a pipe: after the check, and during it. */
export type PipeInputs = Inputs<typeof pipeSchema>;
export type PipeDraft = DraftInputs<typeof pipeSchema>;

/** The same with their metadata. */
export const pipeFields = fieldsOf(pipeSchema, SECRET_NAMES);
