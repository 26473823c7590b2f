import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { BACKUPS } from "./queries";
import type { GetBackupsResult } from "./results";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./args";

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
