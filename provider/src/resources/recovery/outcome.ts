import { failureOf } from "../../api/failure";
import { REPETITION, type Look, type OperationKind, type Reaction } from "../../api/repetition";
import { DatapipesError, isDatapipesError, type Finding } from "../../errors";

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

/** Whether a read of the list that failed this way may succeed later. */
export const isTransient = (error: DatapipesError): boolean =>
  error.code === "connection" || error.code === "rate-limited" || isOutcomeUnknown(error);
