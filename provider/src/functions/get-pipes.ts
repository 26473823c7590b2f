import type * as pulumi from "@pulumi/pulumi";
import { connect, whenKnown } from "./connect";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";
import { summaryOf, type PipeSummary } from "./pipe-shape";

/** The pipes of a service. */
export interface GetPipesResult {
  /** The pipes, in the order of the API. */
  readonly pipes: PipeSummary[];
}

/**
 * Lists the pipes of a service (operation 3 of the API document), without anything that is secret. It reads only, also at
 * preview. Throws a `DatapipesError` whose `code` says what went wrong.
 *
 * @param args which service; default: the configured one
 * @param opts `provider`, where another account is meant
 */
export async function getPipes(args: ServiceArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetPipesResult> {
  const { client, scope } = await connect(args, opts);
  return { pipes: (await client.listPipes(scope)).map(summaryOf) };
}

/** {@link getPipes} for arguments that are outputs: it waits until they are known. */
export const getPipesOutput = (
  args: ServiceOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipesResult> => whenKnown(args, opts, (known) => getPipes(known, opts));
