import type * as pulumi from "@pulumi/pulumi";
import { DatapipesError } from "../errors";
import { idKey } from "../api/wire";
import type { Optional } from "../resources/optional";
import { whenKnown } from "./connect";
import { runFunction } from "./run-function";
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

const GET_PIPE = { name: "getPipe", own: ["id", "name"], requires: ["id", "name"] };

/**
 * Finds one pipe of a service (`listPipes`), without anything that is secret. It reads only, also at preview. Throws a
 * `DatapipesError`: `not-found` when there is none, `conflict` when several bear the name, with their ids. In a unit test, mocks
 * answer it by the token `datapipes:index:getPipe`.
 *
 * @param args which pipe, and of which service
 * @param opts `provider`, where another account is meant
 */
export function getPipe(args: GetPipeArgs, opts?: pulumi.InvokeOptions): Promise<GetPipeResult> {
  return runFunction(GET_PIPE, args, opts, async ({ client, scope }, asked) => {
    const pipes = await client.listPipes(scope);
    return theOnly(pipes.map(summaryOf), asked, scope.serviceId);
  });
}

/** {@link getPipe} for arguments that are outputs: it waits until they are known. */
export const getPipeOutput = (
  args: GetPipeOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetPipeResult> => whenKnown(args, opts, (known) => getPipe(known, opts));

function theOnly(pipes: readonly PipeSummary[], { id, name }: GetPipeArgs, serviceId: string): PipeSummary {
  const found = pipes.filter((pipe) =>
    id === undefined ? pipe.name === name : idKey(pipe.id) === idKey(id),
  );
  const [pipe, ...others] = found;
  const asked = id === undefined ? `of the name ${JSON.stringify(name)}` : `of the id ${id}`;
  if (pipe === undefined) {
    throw new DatapipesError("not-found", `getPipe failed: service ${serviceId} has no pipe ${asked}.`, {
      finding: "no-such-pipe",
    });
  }
  if (others.length > 0) {
    const ids = found.map((candidate) => candidate.id).join(", ");
    throw new DatapipesError(
      "conflict",
      `getPipe failed: service ${serviceId} has ${found.length} pipes ${asked}: ${ids}.`,
      { finding: "several-pipes-of-name" },
    );
  }
  return pipe;
}
