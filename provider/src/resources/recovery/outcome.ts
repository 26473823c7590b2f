import { DatapipesError, isDatapipesError, type Finding } from "../../errors";
import { LIST_DELAYS_MS } from "./list-lag";

/** A gateway answers these when it loses the server or the client; the server may go on with the request. */
const UNKNOWN_OUTCOME_STATUSES: ReadonlySet<number> = new Set([408, 499]);

/** Whether an error leaves open if the write took effect. */
export function isOutcomeUnknown(error: unknown): error is DatapipesError {
  if (!isDatapipesError(error)) return false;
  // Gateways have been seen to answer 429 to a request that they had forwarded.
  if (error.code === "rate-limited") return error.answer.isRateLimit !== true;
  if (error.code === "connection") return error.answer.arrived !== false;
  const { status } = error.answer;
  if (error.code === "unexpected-status")
    return status === undefined || status < 400 || UNKNOWN_OUTCOME_STATUSES.has(status);
  return ["timeout", "server-error", "invalid-response"].includes(error.code);
}

/** Adds to an error what may be true if the outcome is unknown, for objects that the API cannot read. */
export const explainUnknownOutcome =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isOutcomeUnknown(error)
      ? new DatapipesError(error.code, summary, { finding, cause: error })
      : error;
  };

/** What follows a failed POST. */
export interface RecoveryPlan {
  /** The delay before each read of the list, in milliseconds. */
  readonly delays: readonly number[];
  /** Those of further reads if the POST is not sent again: the next run would, if the list shows the pipe still later. */
  readonly later?: readonly number[];
  /** How often the POST may be sent again while the list does not have the pipe. */
  readonly repeats: number;
}

/** The delays after an answer that leaves the server working. */
const LONGER_DELAYS_MS = [0, ...LIST_DELAYS_MS];
const SHORTER = { delays: LONGER_DELAYS_MS.slice(0, -1), later: LONGER_DELAYS_MS.slice(-1) };
const MAX_REPEATS = 2;

/**
 * The delays before the reads of the list after a repeated POST has created a pipe, about a minute in all. A list that shows this pipe shows
 * also what the POST before it created.
 */
export const OWN_PIPE_DELAYS_MS: readonly number[] = LONGER_DELAYS_MS;

/** The plan after a repeated POST is refused: the first one may have created the pipe. */
export const READ_ONCE: RecoveryPlan = { delays: [0], repeats: 0 };

/** The plan for a failed POST; undefined when it certainly created nothing and no retry would help. */
export function recoveryPlanFor(error: DatapipesError, maxRetries: number): RecoveryPlan | undefined {
  const { code, answer } = error;
  const { status = 0 } = answer;
  if (!isOutcomeUnknown(error)) return undefined;
  if (code === "unexpected-status" && status >= 300 && status < 400) return READ_ONCE;
  // The status says success: a second POST would duplicate a pipe that the list shows late.
  if (code === "invalid-response" || (code === "unexpected-status" && status < 300))
    return { ...SHORTER, repeats: 0 };
  const mayStillWork = code === "timeout" || status === 504;
  const reads = mayStillWork ? { delays: LONGER_DELAYS_MS } : SHORTER;
  return { ...reads, repeats: Math.min(MAX_REPEATS, maxRetries) };
}

/** The delays before the reads of the list, while it does not have the pipe. */
export function* readDelays({ delays, later = [] }: RecoveryPlan, isLast: () => boolean): Iterable<number> {
  yield* delays;
  if (isLast()) yield* later;
}

/** Whether a read of the list that failed this way may succeed later. */
export const isTransient = (error: DatapipesError): boolean =>
  error.code === "connection" || error.code === "rate-limited" || isOutcomeUnknown(error);
