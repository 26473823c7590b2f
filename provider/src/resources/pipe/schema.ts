import { SECRET_NAMES } from "../../api/secrets/secret-names";
import {
  atomic,
  boolean,
  distinctBy,
  identifiedBy,
  immutable,
  integer,
  list,
  normalized,
  number,
  object,
  optional,
  providerOnly,
  restricted,
  text,
  unordered,
  updatable,
  writeOnly,
} from "../../lifecycle/comparison/field-schema";
import { fieldsOf } from "../../lifecycle/comparison/fields";
import type { DraftInputs, Inputs } from "../../lifecycle/program/definition";
import { printableValue } from "../../messages/printable";
import { adoptedId, deletionPolicy, observedAnswer, replacementPolicy, scopeId } from "../schema-types";
import { pipeSource } from "./source-schema";

// `npm run reference` makes the arguments from these schemas: `tableEngine` describes `TableEngineArgs`.

/** The table engine of a managed table. A change replaces the pipe. */
const tableEngine = object({
  /** Column that holds the version of a row. */
  versionColumnId: optional(text),
  /** Columns that the engine works on. */
  columnIds: optional(list(text)),
});

/** How the service creates a managed table. A change of any part replaces the pipe. */
const tableDefinition = object({
  /** The table engine. */
  engine: optional(tableEngine),
  /** Columns by which the table is sorted, in this order. */
  sortingKey: optional(list(text)),
  /** Expression by which the table is divided. */
  partitionBy: optional(text),
  /** The primary key. */
  primaryKey: optional(text),
});

/** One column of the destination table. */
const destinationColumn = object({
  /** Name of the column. */
  name: text,
  /** Type of the column, in the database's words. */
  type: text,
});

/** The table that a pipe loads into. */
const pipeDestination = object({
  /** Name of the database. */
  database: optional(text),
  /** Name of the table. */
  table: optional(text),
  /** Whether the service creates the table. */
  managedTable: optional(boolean),
  /** How the service creates the table. */
  tableDefinition: optional(tableDefinition),
  /** The columns to load; each name occurs once. */
  columns: updatable(identifiedBy(optional(list(destinationColumn)), "name")),
  /**
   * Roles of the pipe's database user; a set. Given on create only and never returned: a change replaces the pipe.
   */
  roles: writeOnly(unordered(optional(list(text)))),
});

/** Which field of the source fills which column. */
const fieldMapping = object({
  /** Name of the field in the source. */
  sourceField: text,
  /** Name of the column in the destination. */
  destinationField: text,
});

/** The size of a pipe. A change of any part replaces the pipe. */
const scaling = object({
  /** Number of replicas. Default: as the service decides. */
  replicas: optional(integer),
  /** Concurrency of a replica. Default: as the service decides. */
  concurrency: optional(integer),
  /** CPU of a replica in thousandths of a core. Default: as the service decides. */
  replicaCpuMillicores: optional(integer),
  /** Memory of a replica in GB; may be a fraction. Default: as the service decides. */
  replicaMemoryGb: optional(number),
});

/** The settings of a pipe. Each is changed in place (`updatePipe`); the service decides what is not given. */
const pipeSettings = object({
  /** Longest wait before a batch of a stream is inserted, in milliseconds. */
  streamingMaxInsertWaitMs: optional(integer),
  /** Number of objects loaded at the same time. */
  objectStorageConcurrency: optional(integer),
  /** Polling interval for new objects, in milliseconds. */
  objectStoragePollingIntervalMs: optional(integer),
  /** Maximum size of an insert batch of objects, in bytes. */
  objectStorageMaxInsertBytes: optional(integer),
  /** Maximum number of objects in an insert batch. */
  objectStorageMaxFileCount: optional(integer),
  /** Maximum number of threads of a query of the pipe. */
  dbmsMaxThreads: optional(integer),
  /** Maximum number of threads of an insert. */
  dbmsMaxInsertThreads: optional(integer),
  /** Smallest block that is inserted, in bytes. */
  dbmsMinInsertBlockSizeBytes: optional(integer),
  /** Maximum number of threads of a download. */
  dbmsMaxDownloadThreads: optional(integer),
  /** How the database distributes an INSERT SELECT across nodes, as a number. */
  dbmsParallelDistributedInsertSelect: optional(integer),
  /** Whether objects are read by all nodes of the cluster. */
  objectStorageUseClusterFunction: optional(boolean),
  /** Whether the views of the table are filled in parallel. */
  dbmsParallelViewProcessing: optional(boolean),
});

/** What to wait for after a create or update. */
const waitFor = atomic(
  object({
    /**
     * States to wait for, of which the first one ends the wait, such as `["Running"]`, in any case. The API document
     * lists no values. `Completed`, in which a pipe has loaded all that it was to load, ends every wait; `Failed` and
     * `InternalError` end it with an error.
     */
    states: restricted(list(text), ({ length }) => length > 0, "must name at least one state"),
    /**
     * How long to wait at most, in seconds. After that the run fails and the pipe stays in the stack; the
     * next `pulumi up` resumes waiting.
     * @default 600
     */
    timeoutSeconds: optional(restricted(number, (seconds) => seconds > 0, "must be more than 0")),
  }),
);

// What a change of each field means: the one table behind check, diff, update, read, class and reference.
/**
 * A pipe: it loads data from a source into a table of a service, once or continuously.
 *
 * `createPipe` creates it, `updatePipe` changes it, `listPipes` reads it. The outputs that mirror arguments have the
 * shape that the program declared, with the values found at the last refresh.
 */
export const pipeSchema = {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId,
  /** The service that the pipe belongs to, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId,
  /** Name of the pipe. Default: the logical name of the resource. */
  name: updatable(normalized(optional(text), printableValue)),
  /**
   * Where the pipe reads: exactly one kind.
   * @output Where the pipe reads. Credentials, access keys and connection strings in it are secret.
   */
  source: immutable(pipeSource),
  /** Where the pipe writes. */
  destination: immutable(optional(pipeDestination)),
  /**
   * Which field of the source fills which column; a set. It must cover every column of the destination. Changed in
   * place, always together with the destination's columns (`updatePipe`); the table itself is not altered.
   */
  fieldMappings: updatable(
    distinctBy(
      identifiedBy(optional(list(fieldMapping)), "destinationField"),
      "sourceField",
      "destinationField",
    ),
  ),
  /** The size of the pipe. */
  scaling: immutable(optional(scaling)),
  /** Settings of the pipe. */
  settings: updatable(optional(pipeSettings)),
  /**
   * ID of an existing pipe, a UUID, that the resource takes over instead of creating one. The provider
   * compares the pipe with the program (`listPipes`), sends the changes (`updatePipe`), and fails if a field
   * differs that no update can change. Only one resource of a program can adopt an ID.
   * @output ID of the adopted pipe; undefined if the resource created its pipe.
   */
  adopt: adoptedId,
  /**
   * What happens to the pipe when it is replaced or no longer declared. `"retain"` leaves it running, and a
   * preview shows `delete[retain]`; `"delete"` sends DELETE to the pipe's path, which the API document does
   * not describe and not every service offers. The provider deletes nothing that another resource of the run
   * or of the stack has; resources that `--target` or `--exclude` leaves out are known only from the state. A
   * transform that sets `"delete"` must set the option `retainOnDelete: false`, too.
   * @default "retain"
   */
  deletionPolicy: deletionPolicy,
  /**
   * Whether the provider may create a second pipe for the same data. `"refuse"` fails the preview of a change
   * that replaces the pipe, and of a pipe that is to load the same source into the same table as another
   * running pipe of the service, even if the run would delete that one. `"allow"` creates it. Two stacks or
   * provider instances that create such pipes at the same moment do not see each other; `datapipes status`
   * shows them.
   * @default "refuse"
   * @output Whether the provider may create a second pipe for the same data; undefined is `"refuse"`.
   */
  replacementPolicy: replacementPolicy,
  /** What to wait for after a create or update, polling `listPipes`. Default: no wait. */
  waitFor: providerOnly(optional(waitFor)),
};

/** The outputs of a pipe that the program does not declare. */
export const pipeOutputs = {
  /** State of the pipe at the last write or refresh, such as `Running`. The API document lists no values. */
  state: text,
  /** When the pipe was created, as the API writes it. */
  createdAt: text,
  /** When the pipe was last changed, as the API writes it. */
  updatedAt: text,
  /**
   * What the API last returned beyond the declared fields, or in another format than the program declares; setting names
   * in camelCase.
   */
  observed: observedAnswer,
};

/** The inputs of a pipe: after the check, and during it. */
export type PipeInputs = Inputs<typeof pipeSchema>;
export type PipeDraft = DraftInputs<typeof pipeSchema>;

/** The same with their metadata. */
export const pipeFields = fieldsOf(pipeSchema, SECRET_NAMES);
