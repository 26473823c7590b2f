import { DatapipesError, type ErrorText } from "../../errors";
import type { Doubtful } from "./candidates";
import type { Identified, WireValue } from "../../api/wire";

/** The pipe was created, and a request that had seemed lost made another one, later than it was waited for. */
export class DoubledPipeError extends DatapipesError {
  constructor(
    readonly pipe: Identified,
    text: ErrorText,
  ) {
    super("conflict", text, { operation: "createPipe" });
  }
}

/** Ids as a message lists them. */
export const idsOf = (pipes: readonly Identified[]): string => pipes.map(({ id }) => id).join(", ");

/** What a failed POST has come to, with the one next step that is right for it. */
const outcome = (cause: DatapipesError, what: string, nextStep: string, code = cause.code): DatapipesError =>
  new DatapipesError(
    code,
    { summary: `${cause.summary} ${what}`, nextStep, reason: cause.reason },
    cause.answer,
  );

/** Several pipes have come where one was asked for. */
export const severalFound = (
  name: WireValue,
  pipes: readonly Identified[],
  cause: DatapipesError,
): DatapipesError =>
  outcome(
    cause,
    `Since then several pipes of the name ${JSON.stringify(name)} have appeared: ${idsOf(pipes)}. None was taken over.`,
    `Find out in the service's console which one belongs to this program and name its id as adopt; others may belong to another client.`,
    "conflict",
  );

/** All requests failed and the list shows that none of them has made anything. */
export const nothingMade = (cause: DatapipesError, sent: number): DatapipesError =>
  outcome(
    cause,
    `The request was sent ${sent === 1 ? "once" : `${sent} times`}, and the list of the service shows no new pipe of the name.`,
    cause.code === "rate-limited"
      ? cause.nextStep
      : `Before the next run, check in the service's console that no such pipe has appeared late.`,
  );

/** The request may have made its pipe, and the list, which would tell, cannot be read. */
export const nothingKnown = (
  name: WireValue,
  cause: DatapipesError,
  unread: DatapipesError,
): DatapipesError =>
  outcome(
    cause,
    `It is not known whether pipe ${JSON.stringify(name)} exists: the list cannot be read (${unread.reason}).`,
    `Look for it in the service's console first: if it is there, name its id as adopt.`,
  );

/** To take one that may be another client's is as wrong as to make another beside one that is ours. */
export const likeFound = (
  name: WireValue,
  pipes: readonly Doubtful[],
  cause: DatapipesError,
): DatapipesError =>
  outcome(
    cause,
    `The list now has a pipe like ${JSON.stringify(name)} that this request may not have made: ` +
      `${pipes.map(({ pipe, doubt }) => `${pipe.id} (${doubt})`).join(", ")}. It was not taken over.`,
    `Look at it in the service's console: if it is this program's, name its id as adopt.`,
    "conflict",
  );

/** The request was refused, but a pipe as it asked for has come since: perhaps by a copy of this very request. */
export const appeared = ({ id, name }: Identified, cause: DatapipesError): DatapipesError =>
  outcome(
    cause,
    `Meanwhile a pipe ${JSON.stringify(name)} has appeared: ${id}.`,
    `If it is this program's, name its id as adopt.`,
  );

/** The request was sent again, and both have made a pipe. */
export const doubled = (pipe: Identified, others: readonly Identified[]): DoubledPipeError =>
  new DoubledPipeError(pipe, {
    summary:
      `create pipe ${JSON.stringify(pipe["name"])} was sent again, because its first answer was lost and the list did not show the ` +
      `pipe. Now another one of the name is there too: ${idsOf(others)}. Both load the same data. The pipe in the stack is ${pipe.id}.`,
    nextStep: `If ${idsOf(others)} belongs to no other client, remove it in the service's console.`,
  });
