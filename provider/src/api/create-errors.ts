import { DatapipesError } from "../errors";
import type { Doubtful } from "./candidates";
import type { Identified, WireValue } from "./wire";

/** The pipe was created, and a request that had seemed lost made another one, later than it was waited for. */
export class DoubledPipeError extends DatapipesError {
  constructor(
    readonly pipe: Identified,
    message: string,
  ) {
    super("conflict", message, { operation: "createPipe" });
  }
}

/** Ids as a message lists them. */
export const idsOf = (pipes: readonly Identified[]): string => pipes.map(({ id }) => id).join(", ");

/** Several pipes have come where one was asked for. */
export function severalFound(
  name: WireValue,
  pipes: readonly Identified[],
  cause: DatapipesError,
): DatapipesError {
  return new DatapipesError(
    "conflict",
    `${cause.message} Since then several pipes of the name ${JSON.stringify(name)} have appeared: ${idsOf(pipes)}. None was ` +
      `taken over. Find out in the service's console which one belongs to this program and name its id as adopt; others may belong to another client.`,
    cause.answer,
  );
}

/** All requests failed and the list shows that none of them has made anything. */
export const nothingMade = (cause: DatapipesError, sent: number): DatapipesError =>
  new DatapipesError(
    cause.code,
    `${cause.message} ${sent === 1 ? "The request was sent once" : `The request was sent ${sent} times`}, and as the list of the ` +
      `service shows no new pipe of the name, none was created.`,
    cause.answer,
  );

/** To take one that may be another client's is as wrong as to make another beside one that is ours. */
export const likeFound = (
  name: WireValue,
  pipes: readonly Doubtful[],
  cause: DatapipesError,
): DatapipesError =>
  new DatapipesError(
    "conflict",
    `${cause.message} The list now has a pipe like ${JSON.stringify(name)} that this request may not have made: ` +
      `${pipes.map(({ pipe, doubt }) => `${pipe.id} (${doubt})`).join(", ")}. It was not taken over. Before the next run, which creates ` +
      `another one beside it, look at it in the service's console; if it belongs to this program, name its id as adopt.`,
    cause.answer,
  );

/** The request was refused, but a pipe as it asked for has come since: perhaps by a copy of this very request. */
export const appeared = ({ id, name }: Identified, cause: DatapipesError): DatapipesError =>
  new DatapipesError(
    cause.code,
    `${cause.message} Since the beginning of this run a pipe of the name ${JSON.stringify(name)} has appeared: ${id}. If it is that of this ` +
      `program, made by the request all the same or by a copy of it, name its id as adopt.`,
    cause.answer,
  );

/** The request was sent again, and both have made a pipe. */
export const doubled = (pipe: Identified, others: readonly Identified[]): DoubledPipeError =>
  new DoubledPipeError(
    pipe,
    `create pipe ${JSON.stringify(pipe["name"])} was sent again because its first answer was lost and the list did not show the pipe. ` +
      `Now another one of the name is there too: ${idsOf(others)}. Both load the same data: if it belongs to no other client, remove it by hand, then run ` +
      `\`pulumi up\`. The pipe in the stack is ${pipe.id}.`,
  );
