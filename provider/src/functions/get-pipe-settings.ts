import type * as pulumi from "@pulumi/pulumi";
import type { PipeSettingsArgs } from "../resources/pipe/args";
import { whenKnown } from "./connect";
import { PIPE_SETTINGS } from "./queries";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";

/** Which pipe's settings. */
export interface GetPipeSettingsArgs extends ServiceArgs {
  /** Id of the pipe. */
  pipeId: string;
}

/** Which pipe's settings, for the Output form. */
export interface GetPipeSettingsOutputArgs extends ServiceOutputArgs {
  /** Id of the pipe. */
  pipeId: pulumi.Input<string>;
}

/** The settings of the pipe, at the top level, with all that the service filled in. */
export type GetPipeSettingsResult = Readonly<pulumi.Unwrap<PipeSettingsArgs>>;

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
