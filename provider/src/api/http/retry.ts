import { isAxiosError, type AxiosError } from "axios";
import type { DatapipesError } from "../../messages/errors";
import { timeLeft } from "./deadline";
import { isHtml, parseEnvelope } from "./envelope";
import { codeOf, connectionProblem, isTimeout, NOT_RECEIVED } from "./error-codes";
import { failureOf } from "./failure";
import { isCancelled, type Clock } from "./clock";
import type { Operation } from "../document/operations";
import { isUnixTime } from "./quota";
import { BACKOFF, REPETITION } from "./repetition";
import type { SharedRate } from "./shared-rate";

const AFTER_STATUS_CODES: ReadonlySet<number> = new Set(BACKOFF.afterStatusCodes);

/** What the retries of one request depend on. */
export interface RetryContext {
  readonly operation: Operation;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** How long its attempts have taken so far, in milliseconds. */
  readonly attemptsMs: () => number;
  /** How often it is repeated at most. Refusals with 429 do not count. */
  readonly maxRetries: number;
  /** For how long the service may refuse every request, in milliseconds. */
  readonly rateLimitTimeoutMs: number;
  /** Waits after a refusal. Of many requests that wait, few lines say so. */
  readonly pause: (delay: number, refusal: string) => Promise<void>;
  /** Called before a request is repeated that the API may have carried out. */
  readonly repeats?: () => void;
  readonly shared: Pick<SharedRate, "refusedInRow" | "unservedFor">;
}

/** Sends a request, and again after those of its failures that the table allows to repeat. */
export async function withRetries<T>(context: RetryContext, attempt: () => Promise<T>): Promise<T> {
  const { operation, clock, log, attemptsMs, maxRetries, shared } = context;
  let [failures, totalDelay] = [0, 0];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAxiosError(error) || isCancelled(clock)) throw error;
      const facts = factsOf(error);
      const reaction = REPETITION[failureOf(facts)][operation.kind];
      if (reaction === "fail" || reaction === "look") throw error;
      const isRefusal = reaction === "wait";
      if (!isRefusal) failures += 1;
      if (failures > maxRetries) throw error;
      const delay = Math.max(retryAfter(error) ?? 0, isRefusal ? backoffOf429(context) : backoff(failures));
      if (isRefusal && shared.unservedFor + delay > context.rateLimitTimeoutMs) throw error;
      const attempted = `${operation.attempt}: ${reasonOf(error)}`;
      // The deadline of a call ends its writes; other calls may share its reads.
      if (operation.method !== "GET" && delay >= timeLeft(clock)) {
        log(`${attempted}; not retrying, because customTimeouts leaves no time for it`);
        throw error;
      }
      if (!isRefusal && attemptsMs() + totalDelay + delay >= BACKOFF.totalMs) throw error;
      const seconds = delay < 1_000 ? "" : ` in ${Math.round(delay / 1000)} s`;
      if (isRefusal) {
        await context.pause(delay, `${attempted}; retrying${seconds}`);
        continue;
      }
      if (facts.answer.arrived !== false) context.repeats?.();
      log(`${attempted}; retrying${seconds} (${failures} of ${maxRetries})`);
      totalDelay += delay;
      await clock.sleep(delay);
    }
  }
}

/** What is known of a failed attempt. */
function factsOf(error: AxiosError): Pick<DatapipesError, "code" | "answer"> {
  const status = statusOf(error);
  if (status !== undefined)
    return {
      code: codeOf(status),
      answer: { status, isRateLimit: provesRefusal(error), isPage: isHtml(String(error.response?.data)) },
    };
  if (isTooLarge(error)) return { code: "invalid-response", answer: {} };
  const connection = connectionProblem(error.code ?? "");
  const answer = { connection, arrived: !NOT_RECEIVED.has(connection) };
  return { code: isTimeout(connection) ? "timeout" : "connection", answer };
}

/** The delay that the server asks for, in milliseconds. `Retry-After` wins over `X-RateLimit-Reset`. */
export const retryAfter = ({ response }: AxiosError): number | undefined =>
  response && pauseOf(response.status, response.headers);

/** The delay that an answer with this status and these headers asks for, in milliseconds. */
export function pauseOf(status: number, headers: Readonly<Record<string, unknown>>): number | undefined {
  if (!AFTER_STATUS_CODES.has(status)) return undefined;
  const delay = millisecondsUntil(headers["retry-after"]) ?? millisecondsUntil(headers["x-ratelimit-reset"]);
  if (delay === undefined) return undefined;
  return Math.max(0, status === 429 ? delay : Math.min(BACKOFF.maxRetryAfterMs, delay));
}

/** An HTTP date in one of its three forms, or an ISO 8601 date. `Date.parse` alone reads a date in `-5`, too. */
const DATE = /^\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*|\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d/;

/** The time until the moment in a header: seconds from now, a Unix time or a date. */
function millisecondsUntil(header: unknown): number | undefined {
  if (typeof header !== "string") return undefined;
  const isNumber = /^\s*\d+(\.\d+)?\s*$/.test(header);
  if (isNumber && !isUnixTime(Number(header))) return Number(header) * 1000;
  const time = isNumber ? Number(header) * 1000 : DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : time - Date.now();
}

/** The delay before a retry, in milliseconds: exponential, with jitter. The first retry is number 1. */
export function backoff(retry: number): number {
  const { firstMs, limitMs, jitter } = BACKOFF;
  const delay = Math.min(limitMs, firstMs * 2 ** (retry - 1));
  return delay * (1 - jitter * Math.random());
}

/** The backoff after a 429. It gets shorter before the request fails: the last request of a run has no others that try for it. */
function backoffOf429({ shared, rateLimitTimeoutMs }: RetryContext): number {
  const left = rateLimitTimeoutMs - shared.unservedFor;
  const longest = Math.max(BACKOFF.firstMs, BACKOFF.timeLeftShare * left);
  return Math.min(longest, backoff(shared.refusedInRow));
}

function reasonOf(error: AxiosError): string {
  const status = statusOf(error);
  if (status !== undefined) return `status ${status}`;
  const { code = "no response" } = error;
  return connectionProblem(code) === "no-answer-in-time" ? "no response in time" : code;
}

/**
 * Whether a 429 certainly comes from the API: in its envelope, or with a header of a rate limit. A page comes from a gateway, which may
 * have forwarded the request, whatever its headers are.
 */
export const isRateLimit = (status: number, body: string, headers: object): boolean =>
  status === 429 &&
  !isHtml(body) &&
  (parseEnvelope(body)?.status === 429 ||
    Object.keys(headers).some((name) => /^(?:retry-after|(?:x-)?ratelimit(?:-|$))/i.test(name)));

function provesRefusal({ response }: AxiosError): boolean {
  return response !== undefined && isRateLimit(response.status, String(response.data), response.headers);
}

/** The status of an answer that was received completely. */
export const statusOf = ({ response }: AxiosError): number | undefined =>
  typeof response?.data === "string" ? response.status : undefined;

/** Whether axios stopped reading because the answer is larger than `maxContentLength`. */
export const isTooLarge = ({ message }: AxiosError): boolean => message.startsWith("maxContentLength");
