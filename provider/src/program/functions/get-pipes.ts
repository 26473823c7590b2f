import type * as pulumi from "@pulumi/pulumi";
import { whenKnown } from "./connect";
import { PIPES } from "./queries";
import type { GetPipesResult } from "./results";
import { runFunction } from "./run-function";
import type { ServiceArgs, ServiceOutputArgs } from "./args";

/**
 * Lists the pipes of a service (`listPipes`), without their secrets. It only reads, also at preview. Throws a
 * `DatapipesError` whose `code` says what went wrong. In a unit test, mocks answer it by the token `datapipes:index:getPipes`.
 *
 * @param args which service; default: the configured one
 * @param opts `provider` for another account
 */
export const getPipes = (args: ServiceArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetPipesResult> =>
  runFunction(PIPES, args, opts);

/** {@link getPipes} for arguments that are outputs: it waits until they are known. */
export const getPipesOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipesResult> => whenKnown(args, opts, (known) => getPipes(known, opts));
