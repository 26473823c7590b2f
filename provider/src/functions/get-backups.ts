import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { BACKUPS } from "./queries";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";

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
  /** Id of the backup, a UUID. */
  readonly id: string;
  /** Id of the service, a UUID. */
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
  /** The backups, in the order of the API. A backup whose id is not a UUID is left out, with a warning. */
  readonly backups: Backup[];
}

/**
 * Lists the backups of a service (`listBackups`). It only reads, also at preview. Throws a `DatapipesError` whose `code` says
 * what went wrong. In a unit test, mocks answer it by the token `datapipes:index:getBackups`.
 *
 * @param args which service; default: the configured one
 * @param opts `provider` for another account
 */
export const getBackups = (args: ServiceArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetBackupsResult> =>
  runFunction(BACKUPS, args, opts);

/** {@link getBackups} for arguments that are outputs: it waits until they are known. */
export const getBackupsOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBackupsResult> => whenKnown(args, opts, (known) => getBackups(known, opts));
