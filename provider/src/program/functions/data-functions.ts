// `npm run reference` makes this file from the queries and their comments.
import type * as pulumi from "@pulumi/pulumi";
import type {
  GetPipeArgs,
  GetPipeOutputArgs,
  GetPipeSettingsArgs,
  GetPipeSettingsOutputArgs,
  ServiceArgs,
  ServiceOutputArgs,
} from "./args";
import type { GetBackupsResult, GetPipeResult, GetPipeSettingsResult, GetPipesResult } from "./results";
import { runFunction, whenKnown } from "./run-function";

/**
 * Lists the backups of a service (`listBackups`). It sends only read requests, in previews too. Throws a
 * `DatapipesError` whose `code` says what went wrong. In unit tests, mock the call by its token
 * `datapipes:index:getBackups`.
 *
 * @param args which service; default: the configured one
 * @param opts `provider` for another account
 */
export const getBackups = (args: ServiceArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetBackupsResult> =>
  runFunction("getBackups", args, opts);

/** {@link getBackups} for arguments that are outputs: it waits until they are known. */
export const getBackupsOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBackupsResult> => whenKnown("getBackups", args, opts);

/**
 * Lists the pipes of a service (`listPipes`), without their secrets. It sends only read requests, in previews
 * too. Throws a `DatapipesError` whose `code` says what went wrong. In unit tests, mock the call by its token
 * `datapipes:index:getPipes`.
 *
 * @param args which service; default: the configured one
 * @param opts `provider` for another account
 */
export const getPipes = (args: ServiceArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetPipesResult> =>
  runFunction("getPipes", args, opts);

/** {@link getPipes} for arguments that are outputs: it waits until they are known. */
export const getPipesOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipesResult> => whenKnown("getPipes", args, opts);

/**
 * Finds one pipe of a service (`listPipes`), without its secrets. It sends only read requests, in previews
 * too. Throws a `DatapipesError`: `not-found` when there is none, `conflict`, with their IDs, when several
 * have the name. In unit tests, mock the call by its token `datapipes:index:getPipe`.
 *
 * @param args which pipe, and of which service
 * @param opts `provider` for another account
 */
export const getPipe = (args: GetPipeArgs, opts?: pulumi.InvokeOptions): Promise<GetPipeResult> =>
  runFunction("getPipe", args, opts);

/** {@link getPipe} for arguments that are outputs: it waits until they are known. */
export const getPipeOutput = (
  args: GetPipeOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeResult> => whenKnown("getPipe", args, opts);

/**
 * Reads the settings of a pipe (`getPipeSettings`). It sends only read requests, in previews too. Throws a
 * `DatapipesError`: `not-found` when there is no such pipe, or when pipes of its kind have no settings, such
 * as postgres pipes. In unit tests, mock the call by its token `datapipes:index:getPipeSettings`.
 *
 * @param args which pipe, and of which service
 * @param opts `provider` for another account
 */
export const getPipeSettings = (
  args: GetPipeSettingsArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetPipeSettingsResult> => runFunction("getPipeSettings", args, opts);

/** {@link getPipeSettings} for arguments that are outputs: it waits until they are known. */
export const getPipeSettingsOutput = (
  args: GetPipeSettingsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeSettingsResult> => whenKnown("getPipeSettings", args, opts);
