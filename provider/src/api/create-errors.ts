import { DatapipesError } from "../errors";
import type { Identified, WireValue } from "./wire";

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
      `taken over. Find out which is the one of this program and name its id as adopt; remove the others.`,
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

/** To take one that may be somebody else's is as wrong as to make another beside one that is ours. */
export const likeFound = (
  name: WireValue,
  pipes: readonly Identified[],
  cause: DatapipesError,
): DatapipesError =>
  new DatapipesError(
    "conflict",
    `${cause.message} Since then a pipe has appeared that is much like ${JSON.stringify(name)}, but not in all that was asked ` +
      `for: ${idsOf(pipes)}. It was not taken over. If it is that of this program, name its id as adopt; if not, run the command again, ` +
      `which creates another one.`,
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
