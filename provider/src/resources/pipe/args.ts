import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, Optional, ReplacementPolicy } from "../argument-types";
import type { PipeSourceArgs } from "./source-args";

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
  /** The columns that are loaded, each of one name. Changed in place (`updatePipe`). */
  columns?: Optional<pulumi.Input<DestinationColumnArgs>[]>;
  /** Roles of the pipe's database user; a set. Given on create only and never returned: a change replaces the pipe. */
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
  /** Parallel work of a replica. Default: as the service decides. A change replaces the pipe. */
  concurrency?: Optional<number>;
  /** CPU of a replica in thousandths of a core. Default: as the service decides. A change replaces the pipe. */
  replicaCpuMillicores?: Optional<number>;
  /** Memory of a replica in GB; may be a fraction. Default: as the service decides. A change replaces the pipe. */
  replicaMemoryGb?: Optional<number>;
}

/** The settings of a pipe. Each is changed in place (`updatePipe`); the service decides what is not given. */
export interface PipeSettingsArgs {
  /** Longest wait before a batch of a stream is inserted, in milliseconds. Changed in place. */
  streamingMaxInsertWaitMs?: Optional<number>;
  /** Objects loaded at the same time. Changed in place. */
  objectStorageConcurrency?: Optional<number>;
  /** Time between two looks for new objects, in milliseconds. Changed in place. */
  objectStoragePollingIntervalMs?: Optional<number>;
  /** Bytes inserted in one batch of objects at most. Changed in place. */
  objectStorageMaxInsertBytes?: Optional<number>;
  /** Objects inserted in one batch at most. Changed in place. */
  objectStorageMaxFileCount?: Optional<number>;
  /** Threads of a query of the pipe at most. Changed in place. */
  dbmsMaxThreads?: Optional<number>;
  /** Threads of an insert at most. Changed in place. */
  dbmsMaxInsertThreads?: Optional<number>;
  /** Smallest block that is inserted, in bytes. Changed in place. */
  dbmsMinInsertBlockSizeBytes?: Optional<number>;
  /** Threads of a download at most. Changed in place. */
  dbmsMaxDownloadThreads?: Optional<number>;
  /** How an insert from a select is spread over the nodes, a number of the database. Changed in place. */
  dbmsParallelDistributedInsertSelect?: Optional<number>;
  /** Whether objects are read by all nodes of the cluster. Changed in place. */
  objectStorageUseClusterFunction?: Optional<boolean>;
  /** Whether the views of the table are filled in parallel. Changed in place. */
  dbmsParallelViewProcessing?: Optional<boolean>;
}

/** What to wait for after a create or update. */
export interface WaitForArgs {
  /**
   * States of which any ends the wait, such as `["Running"]`. The API document lists no values. `Completed`, in which a pipe
   * has loaded all that it was to load, ends every wait; `Failed` and `InternalError` end it with an error.
   */
  states: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How long to wait at most, in seconds. After that the run fails and the pipe stays in the stack; the next `pulumi up` resumes waiting.
   * @default 600
   */
  timeoutSeconds?: Optional<number>;
}

/** The arguments of a {@link Pipe}. */
export interface PipeArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the pipe. */
  organizationId?: Optional<string>;
  /** The service that the pipe belongs to, a UUID. Default: `datapipes:serviceId`. A change replaces the pipe. */
  serviceId?: Optional<string>;
  /** Name of the pipe. Default: the logical name of the resource. Changed in place (`updatePipe`). */
  name?: Optional<string>;
  /** Where the pipe reads: exactly one kind. */
  source: pulumi.Input<PipeSourceArgs>;
  /** Where the pipe writes. */
  destination?: Optional<PipeDestinationArgs>;
  /**
   * Which field of the source fills which column; a set. It must cover every column of the destination. Changed in place,
   * always together with the destination's columns (`updatePipe`); the table itself is not altered.
   */
  fieldMappings?: Optional<pulumi.Input<FieldMappingArgs>[]>;
  /** The size of the pipe. A change replaces the pipe. */
  scaling?: Optional<ScalingArgs>;
  /** Settings of the pipe. Changed in place, changed members only (`updatePipe`). */
  settings?: Optional<PipeSettingsArgs>;
  /**
   * Id of an existing pipe, a UUID, that the resource takes over instead of creating one. The provider compares the pipe with the
   * program (`listPipes`), sends the changes (`updatePipe`), and fails if a field differs that no update can change. Only one resource
   * of a program can adopt an id. Kept in state, never sent.
   */
  adopt?: Optional<string>;
  /**
   * What happens to the pipe when it is replaced or no longer declared. `"retain"` leaves it running, and a preview shows
   * `delete[retain]`; `"delete"` sends DELETE to the pipe's path, which the API document does not describe and not every service
   * offers. With the native plugin, it also deletes the pipe if the program adopts it under another name and `--target` or `--exclude`
   * leaves that resource out. A transform that sets `"delete"` must set the option `retainOnDelete: false`, too. Kept in state, never
   * sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
  /**
   * `"refuse"` fails the preview of a change that replaces the pipe; `"allow"` creates a second pipe. Kept in state, never sent.
   * @default "refuse"
   */
  replacementPolicy?: Optional<ReplacementPolicy>;
  /**
   * What to wait for after a create or update, polling `listPipes`. Default: not to wait. Kept in state, never sent.
   */
  waitFor?: Optional<WaitForArgs>;
}
