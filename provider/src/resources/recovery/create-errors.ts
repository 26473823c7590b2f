import { DatapipesError } from "../../errors";
import type { Doubtful } from "./candidates";
import type { Identified, WireValue } from "../../api/wire";

/** The pipe was created, and a request that had seemed lost made another one, later than it was waited for. */
export class DoubledPipeError extends DatapipesError {
  constructor(
    readonly pipe: Identified,
    others: readonly Identified[],
  ) {
    super(
      "conflict",
      `create pipe ${JSON.stringify(pipe["name"])} (${pipe.id}) was sent again, because its first answer was lost and the list did not ` +
        `show the pipe. Now another one of the name is there too: ${idsOf(others)}. Both load the same data.`,
      { answer: { operation: "createPipe" }, finding: "second-pipe-created" },
    );
  }
}

/** Ids as a message lists them. */
export const idsOf = (pipes: readonly Identified[]): string => pipes.map(({ id }) => id).join(", ");

/** Several pipes have come where one was asked for. */
export const severalFound = (
  name: WireValue,
  pipes: readonly Identified[],
  cause: DatapipesError,
): DatapipesError =>
  new DatapipesError(
    "conflict",
    `Since then, several pipes of the name ${JSON.stringify(name)} have appeared: ${idsOf(pipes)}. The provider adopted none of them.`,
    { cause, finding: "several-pipes-appeared" },
  );

/** All requests failed and the list shows that none of them has made anything. */
export function nothingMade(cause: DatapipesError, sent: number): DatapipesError {
  const often = sent === 1 ? "once" : `${sent} times`;
  const summary = `The request was sent ${often}, and the list of the service shows no new pipe of the name.`;
  // What the rate limit turns away is not made late.
  const finding = cause.code === "rate-limited" ? undefined : "not-created";
  return new DatapipesError(cause.code, summary, { cause, finding });
}

/** The request may have made its pipe, and the list, which would tell, cannot be read. */
export const nothingKnown = (
  name: WireValue,
  cause: DatapipesError,
  unread: DatapipesError,
): DatapipesError =>
  new DatapipesError(
    cause.code,
    `It is not known whether pipe ${JSON.stringify(name)} exists: the list cannot be read (${unread.reason}).`,
    { cause, finding: "may-exist" },
  );

/** To take one that may be another client's is as wrong as to make another beside one that is ours. */
export const likeFound = (
  name: WireValue,
  pipes: readonly Doubtful[],
  cause: DatapipesError,
): DatapipesError =>
  new DatapipesError(
    "conflict",
    `The list now has a pipe like ${JSON.stringify(name)} that this request may not have made: ` +
      `${pipes.map(({ pipe, doubt }) => `${pipe.id} (${doubt})`).join(", ")}. The provider did not adopt it.`,
    { cause, finding: "similar-pipe-appeared" },
  );

/** The request was refused, but a pipe as it asked for has come since: perhaps by a copy of this very request. */
export const appeared = ({ id, name }: Identified, cause: DatapipesError): DatapipesError =>
  new DatapipesError(cause.code, `Meanwhile a pipe ${JSON.stringify(name)} has appeared: ${id}.`, {
    cause,
    finding: "pipe-appeared",
  });
