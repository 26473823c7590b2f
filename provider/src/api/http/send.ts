import { ApiError, type DatapipesError } from "../../messages/errors";
import type { Call } from "../operations";
import { timeLeft, type Clock } from "./clock";
import { FAILURES, mayBeDone } from "./failures";
import type { Pause } from "./rate-limiter";

/** The result of one attempt, or its error and the delay that the answer asks for. */
export type Attempt =
  | { readonly result: unknown }
  | {
      readonly error: DatapipesError;
      readonly askedMs: number;
      /** The wait for the rate limiter, if it is longer than those before. */
      readonly pause?: Pause | undefined;
    };

/** What the retries of a request depend on. */
export interface SendContext {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly maxRetries: number;
  readonly rateLimitTimeoutSeconds: number;
  /** For how long the service has refused every request with 429, in milliseconds. */
  readonly refusedForMs: () => number;
}

/**
 * Sends a request, and again after those failures that the table allows. An attempt throws only if nothing was sent.
 */
export async function send(
  call: Call,
  context: SendContext,
  attempt: () => Promise<Attempt>,
): Promise<unknown> {
  const { options, operation } = call;
  let retries = 0;
  let isAfterLost = false;
  let last: DatapipesError | undefined;
  for (;;) {
    const outcome = await attempt().catch((error: unknown) => {
      // An earlier attempt was sent: its failure says more.
      throw last ?? error;
    });
    if ("result" in outcome) return outcome.result;
    const { error, askedMs, pause } = outcome;
    last = isAfterLost ? afterLost(call, error) : error;
    const { failure = "refused" } = error.answer;
    const reaction = FAILURES[failure][operation.kind];
    if (context.clock.isCancelled() || reaction.action === "fail" || reaction.action === "look") throw last;
    isAfterLost ||= mayBeDone(error);
    if (reaction.action === "wait") {
      throwIfRefusedTooLong(error, askedMs, context);
      if (!hasTimeFor(askedMs, error, call, context)) throw last;
      if (pause !== undefined) context.log(`${call.attempt}: ${error.reason}: ${textOfPause(pause)}`);
      continue;
    }
    const { maxRetries = context.maxRetries } = options;
    const limit = reaction.limit === "maxRetries" ? maxRetries : reaction.limit;
    retries += 1;
    if (retries > limit) throw last;
    const delay = Math.max(askedMs, delayOf(reaction.firstMs, retries));
    if (!hasTimeFor(delay, error, call, context)) throw last;
    const seconds = delay < 1_000 ? "" : ` in ${Math.round(delay / 1000)} s`;
    context.log(`${call.attempt}: ${error.reason}; retrying${seconds} (${retries} of ${limit})`);
    await context.clock.sleep(delay);
  }
}

function textOfPause({ askedMs, pauseMs }: Pause): string {
  const [asked, pause] = [askedMs, pauseMs].map((each) => `${Math.ceil(each / 1000)} s`);
  const demand = askedMs > 0 ? `the API asks to wait ${asked}` : "the API does not say how long to wait";
  return `${demand}; the provider waits ${pause}`;
}

/** How much of a delay is random, so that many clients do not retry at the same time. */
export const JITTER = 0.5;

export const LONGEST_DELAY_MS = 30_000;

/** Each delay is twice as long as the one before. The first retry is number 1. */
export const delayOf = (firstMs: number, retry: number): number =>
  Math.min(LONGEST_DELAY_MS, firstMs * 2 ** (retry - 1)) * (1 - JITTER * Math.random());

/** The deadline of a call ends its writes; other calls may share its reads. */
function hasTimeFor(
  delay: number,
  { reason }: DatapipesError,
  { attempt, operation }: Call,
  { clock, log }: SendContext,
): boolean {
  if (operation.kind === "read" || delay < timeLeft(clock)) return true;
  log(`${attempt}: ${reason}; not retrying, because customTimeouts leaves no time for it`);
  return false;
}

function throwIfRefusedTooLong(error: DatapipesError, askedMs: number, context: SendContext): void {
  const limitMs = 1000 * context.rateLimitTimeoutSeconds;
  const refusedMs = context.refusedForMs();
  if (refusedMs + askedMs < limitMs) return;
  const isRefused = limitMs > 0 && refusedMs >= limitMs;
  const seconds = Math.ceil((isRefused ? refusedMs : askedMs) / 1000);
  if (seconds === 0) throw error;
  const fact = isRefused ? "has refused every request for" : "asks the provider to wait";
  throw new ApiError(error.code, `The API ${fact} ${seconds} s.`, { cause: error });
}

/** Says that an earlier attempt without an answer may have been carried out, if the service refuses its repetition. */
function afterLost({ name, operation }: Call, error: DatapipesError): DatapipesError {
  const { status = 500 } = error.answer;
  if (operation.kind === "read" || status >= 500) return error;
  const summary = "An earlier attempt of this request may have succeeded.";
  // No operation reads the settings of a service.
  const finding = name === "updatePipe" ? "may-be-updated" : undefined;
  return new ApiError(error.code, summary, { cause: error, finding });
}
