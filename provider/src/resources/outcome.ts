import { failureOf } from "../api/http/failure";
import type { Clock } from "../api/http/clock";
import type { OperationKind } from "../api/document/operations";
import { LIST_READS, REPETITION, type Look, type Reaction } from "../api/http/repetition";
import type { Wanted } from "../api/shared-reads";
import { DatapipesError, isDatapipesError, type Finding } from "../messages/errors";

/** What may follow a request of this kind that failed so. */
export const reactionTo = (error: DatapipesError, kind: OperationKind): Reaction =>
  REPETITION[failureOf(error)][kind];

/** Whether an error leaves open if the write took effect. */
export const isOutcomeUnknown = (error: unknown): error is DatapipesError =>
  isDatapipesError(error) && REPETITION[failureOf(error)].outcome === "unknown";

/** Adds to an error what may be true if the outcome is unknown, for objects that the API cannot read. */
export const explainUnknownOutcome =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isOutcomeUnknown(error)
      ? new DatapipesError(error.code, summary, { finding, cause: error })
      : error;
  };

/** The delays before the reads of the list, while it does not have the pipe. */
export function* readDelays({ delaysMs, laterMs = [] }: Look, isLast: () => boolean): Iterable<number> {
  yield* delaysMs;
  if (isLast()) yield* laterMs;
}

/**
 * When the lists after these delays are wanted. Creates that wait at the same time share most of them: a list that comes early will do, and
 * the next delay is longer, so that all together are no shorter.
 */
export function* wantedAfter(delays: Iterable<number>, clock: Pick<Clock, "now">): Iterable<Wanted> {
  const { earlyShare, maxEarlyDelayMs } = LIST_READS;
  let due = clock.now();
  for (const next of delays) {
    due += next;
    const delay = Math.max(next, due - clock.now());
    yield { delay, earliest: next > maxEarlyDelayMs ? delay : next * earlyShare };
  }
}

/** Whether a read of the list that failed this way may succeed later. */
export const isTransient = (error: DatapipesError): boolean =>
  error.code === "connection" || error.code === "rate-limited" || isOutcomeUnknown(error);
