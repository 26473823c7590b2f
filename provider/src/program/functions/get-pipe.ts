import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { PIPE } from "./queries";
import type { GetPipeResult } from "./results";
import { runFunction } from "./run-function";
import type { GetPipeArgs, GetPipeOutputArgs } from "./args";

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
