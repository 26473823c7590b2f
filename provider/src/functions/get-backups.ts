import type * as pulumi from "@pulumi/pulumi";
import { connect, whenKnown } from "./connect";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";

/** Where a backup lies. */
export interface BackupBucket {
  /** Path of the backup in the bucket. */
  readonly bucketPath: string;
  /** ARN of the role that reads the bucket. */
  readonly iamRoleArn: string;
  /** Name of the role's session. */
  readonly iamRoleSessionName: string;
}

/** A backup of a service. */
export interface Backup {
  /** Id of the backup, a UUID. */
  readonly id: string;
  /** Id of the service, a UUID. */
  readonly serviceId: string;
  /** When the backup began, ISO 8601. */
  readonly startedAt: string;
  /** When the backup ended, ISO 8601. */
  readonly finishedAt: string;
  /** Size in bytes. */
  readonly sizeInBytes: number;
  /** Duration in seconds. */
  readonly durationInSeconds: number;
  /** Name of the backup. */
  readonly backupName: string;
  /** Where the backup lies. */
  readonly bucket: BackupBucket;
}

/** The backups of a service. */
export interface GetBackupsResult {
  /** The backups, in the order of the API. */
  readonly backups: Backup[];
}

/**
 * Lists the backups of a service (operation 7 of the API document). It reads only, also at preview. Throws a
 * `DatapipesError` whose `code` says what went wrong.
 *
 * @param args which service; default: the configured one
 * @param opts `provider`, where another account is meant
 */
export async function getBackups(
  args: ServiceArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetBackupsResult> {
  const { client, scope } = await connect(args, opts);
  return { backups: (await client.listBackups(scope)) as unknown as Backup[] };
}

/** {@link getBackups} for arguments that are outputs: it waits until they are known. */
export const getBackupsOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBackupsResult> => whenKnown(args, opts, (known) => getBackups(known, opts));
