import type * as pulumi from "@pulumi/pulumi";
import type { Optional } from "../resources/argument-types";
import { whenKnown } from "./connect";
import { PIPE } from "./queries";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";
import type { PipeSummary } from "./pipe-summary";

/** Which pipe: by its id or by its name, one of the two. */
export interface GetPipeArgs extends ServiceArgs {
  /** Id of the pipe. */
  id?: string | undefined;
  /** Name of the pipe. */
  name?: string | undefined;
}

/** Which pipe, for the Output form: by its id or by its name, one of the two. */
export interface GetPipeOutputArgs extends ServiceOutputArgs {
  /** Id of the pipe. */
  id?: Optional<string>;
  /** Name of the pipe. */
  name?: Optional<string>;
}

/** The pipe, its fields at the top level. */
export type GetPipeResult = PipeSummary;

/**
 * Finds one pipe of a service (`listPipes`), without its secrets. It only reads, also at preview. Throws a
 * `DatapipesError`: `not-found` when there is none, `conflict`, with their ids, when several have the name. In a unit test, mocks
 * answer it by the token `datapipes:index:getPipe`.
 *
 * @param args which pipe, and of which service
 * @param opts `provider` for another account
 */
export const getPipe = (args: GetPipeArgs, opts?: pulumi.InvokeOptions): Promise<GetPipeResult> =>
  runFunction(PIPE, args, opts);

/** {@link getPipe} for arguments that are outputs: it waits until they are known. */
export const getPipeOutput = (
  args: GetPipeOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeResult> => whenKnown(args, opts, (known) => getPipe(known, opts));
