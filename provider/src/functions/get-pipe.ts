import type * as pulumi from "@pulumi/pulumi";
import { DatapipesError } from "../errors";
import { idKey } from "../api/wire";
import type { Optional } from "../resources/optional";
import { connect, whenKnown } from "./connect";
import type { ServiceArgs, ServiceOutputArgs } from "./service-args";
import { summaryOf, type PipeSummary } from "./pipe-shape";

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
 * Finds one pipe of a service (operation 3 of the API document), without anything that is secret. It reads only, also at
 * preview. Throws a `DatapipesError`: `not-found` when there is none, `conflict` when several bear the name, with their ids.
 *
 * @param args which pipe, and of which service
 * @param opts `provider`, where another account is meant
 */
export async function getPipe(args: GetPipeArgs, opts?: pulumi.InvokeOptions): Promise<GetPipeResult> {
  const { id, name } = args;
  if ((id === undefined) === (name === undefined)) {
    throw new DatapipesError("invalid-argument", "getPipe takes either id or name, and one of the two.");
  }
  const { client, scope } = await connect(args, opts);
  const pipes = (await client.listPipes(scope)).map(summaryOf);
  const found = pipes.filter((pipe) =>
    id === undefined ? pipe.name === name : idKey(pipe.id) === idKey(id),
  );
  const [pipe, ...others] = found;
  const asked = id === undefined ? `of the name ${JSON.stringify(name)}` : `of the id ${id}`;
  if (pipe === undefined) {
    throw new DatapipesError(
      "not-found",
      `getPipe failed: service ${scope.serviceId} has no pipe ${asked}. Check it, organizationId and serviceId.`,
    );
  }
  if (others.length > 0) {
    const ids = found.map((candidate) => candidate.id).join(", ");
    throw new DatapipesError(
      "conflict",
      `getPipe failed: service ${scope.serviceId} has ${found.length} pipes ${asked}: ${ids}. Ask for one by its id.`,
    );
  }
  return pipe;
}

/** {@link getPipe} for arguments that are outputs: it waits until they are known. */
export const getPipeOutput = (
  args: GetPipeOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeResult> => whenKnown(args, opts, (known) => getPipe(known, opts));
