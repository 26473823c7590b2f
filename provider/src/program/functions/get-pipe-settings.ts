import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { PIPE_SETTINGS } from "./queries";
import type { GetPipeSettingsResult } from "./results";
import { runFunction } from "./run-function";
import type { GetPipeSettingsArgs, GetPipeSettingsOutputArgs } from "./args";

/**
 * Reads the settings of a pipe (`getPipeSettings`). It only reads, also at preview. Throws a `DatapipesError`: `not-found` when
 * there is no such pipe, or when pipes of its kind have no settings, as postgres ones. In a unit test, mocks answer it by the
 * token `datapipes:index:getPipeSettings`.
 *
 * @param args which pipe, and of which service
 * @param opts `provider` for another account
 */
export const getPipeSettings = (
  args: GetPipeSettingsArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetPipeSettingsResult> => runFunction(PIPE_SETTINGS, args, opts);

/** {@link getPipeSettings} for arguments that are outputs: it waits until they are known. */
export const getPipeSettingsOutput = (
  args: GetPipeSettingsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeSettingsResult> => whenKnown(args, opts, (known) => getPipeSettings(known, opts));
