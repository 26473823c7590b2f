import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { PIPE_NAMES } from "./queries";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";

/** The names of the pipes of a service. */
export interface GetPipeNamesResult {
  /** The names, in the order of the API. */
  readonly names: string[];
}

/**
 * Lists the names of the pipes of a service (`listPipes`). It only reads, also at preview. Throws a `DatapipesError` whose
 * `code` says what went wrong. In a unit test, mocks answer it by the token `datapipes:index:getPipeNames`.
 *
 * @param args which service; default: the configured one
 * @param opts `provider` for another account
 */
export const getPipeNames = (
  args: ServiceArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetPipeNamesResult> => runFunction(PIPE_NAMES, args, opts);

/** {@link getPipeNames} for arguments that are outputs: it waits until they are known. */
export const getPipeNamesOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeNamesResult> => whenKnown(args, opts, (known) => getPipeNames(known, opts));
