import type * as pulumi from "@pulumi/pulumi";
import type { FieldMappingArgs, PipeSettingsArgs } from "../pipe/args";

/** Where a backup is stored. */
export interface BackupBucket {
  /** Path of the backup in the bucket. */
  readonly bucketPath?: string | undefined;
  /** ARN of the role that reads the bucket. */
  readonly iamRoleArn?: string | undefined;
  /** Name of the role's session. */
  readonly iamRoleSessionName?: string | undefined;
}

/** A backup of a service. Some fields are undefined until it has ended. */
export interface Backup {
  /** ID of the backup, a UUID. */
  readonly id: string;
  /** ID of the service, a UUID. */
  readonly serviceId: string;
  /** When the backup began, ISO 8601. */
  readonly startedAt: string;
  /** When the backup ended, ISO 8601; undefined while it runs. */
  readonly finishedAt?: string | undefined;
  /** Size in bytes; undefined while it is not known. */
  readonly sizeInBytes?: number | undefined;
  /** Duration in seconds; undefined while the backup runs. */
  readonly durationInSeconds?: number | undefined;
  /** Name of the backup, once it has one. */
  readonly backupName?: string | undefined;
  /** Where the backup is stored, once that is known. */
  readonly bucket?: BackupBucket | undefined;
}

/** The backups of a service. */
export interface GetBackupsResult {
  /** The backups, in the order of the API. A backup whose ID is not a UUID is left out, with a warning. */
  readonly backups: Backup[];
}

/** A pipe as the API lists it, without anything that is secret; setting names in camelCase. */
export interface PipeSummary {
  /** ID of the pipe, a UUID. */
  readonly id: string;
  /** ID of the service that owns the pipe, a UUID. */
  readonly serviceId: string;
  /** Name of the pipe. */
  readonly name: string;
  /** State of the pipe, such as `Running`. The API document lists no values. */
  readonly state: string;
  /** Where the pipe reads: its one kind, such as `kafka`, with the fields of the API document. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Where the pipe writes, with the fields of the API document. */
  readonly destination: Readonly<Record<string, unknown>>;
  /** Which field of the source fills which column. */
  readonly fieldMappings: readonly Readonly<pulumi.Unwrap<FieldMappingArgs>>[];
  /** The size of the pipe. */
  readonly scaling: Readonly<Record<string, unknown>>;
  /** The settings of the pipe. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** When the pipe was created, as the API writes it. */
  readonly createdAt: string;
  /** When the pipe was last changed, as the API writes it. */
  readonly updatedAt: string;
}

/** The pipe, its fields at the top level. */
export type GetPipeResult = PipeSummary;

/** The pipes of a service. */
export interface GetPipesResult {
  /** The pipes, in the order of the API. */
  readonly pipes: PipeSummary[];
}

/** The settings of the pipe, at the top level, with all that the service filled in. */
export type GetPipeSettingsResult = Readonly<pulumi.Unwrap<PipeSettingsArgs>>;
