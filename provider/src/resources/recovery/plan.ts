import type { DatapipesError } from "../../errors";
import { backoff } from "../../api/retry";
import { isUncertain } from "./uncertain";

/** What follows a failed POST. */
export interface RecoveryPlan {
  /** How long before each look at the list, in milliseconds. */
  readonly delays: readonly number[];
  /** How often the request may be sent again when the list does not have the pipe. */
  readonly repeats: number;
}

/** How long an unanswered POST may take to show in the list, and how often the list is looked at meanwhile. */
const SETTLE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** The same where the server may still be at work. */
const LONGER_DELAYS_MS = [...SETTLE_DELAYS_MS, 30_000];

/** How often a POST is sent again after the list has shown that the one before created nothing. */
const MAX_REPEATS = 2;

/** When a repeated POST is refused, what is there may be what the first one made. */
export const LOOK_ONCE: RecoveryPlan = { delays: [0], repeats: 0 };

/** What follows a failed POST; undefined when it certainly made nothing and is not worth another try. */
export function recoveryPlanFor(
  error: DatapipesError,
  sent: number,
  maxRetries: number,
): RecoveryPlan | undefined {
  const { code, answer } = error;
  const { status = 0 } = answer;
  // Gateways have been seen to turn away what they had passed on.
  if (code === "rate-limited") return { delays: [backoff(sent)], repeats: maxRetries };
  if (!isUncertain(error)) return undefined;
  if (code === "unexpected-status" && status >= 300 && status < 400) return LOOK_ONCE;
  // The answer says success: a repeated request would double a pipe that the list shows late.
  if (code === "invalid-response" || (code === "unexpected-status" && status < 300))
    return { delays: SETTLE_DELAYS_MS, repeats: 0 };
  // The server may still be creating what was given up on, and not cut off.
  const mayStillWork = code === "timeout" || status === 504;
  return { delays: mayStillWork ? LONGER_DELAYS_MS : SETTLE_DELAYS_MS, repeats: MAX_REPEATS };
}

/** Whether a list that failed so may be read a little later. */
export const isPassing = (error: DatapipesError): boolean =>
  error.code === "connection" || error.code === "rate-limited" || isUncertain(error);
