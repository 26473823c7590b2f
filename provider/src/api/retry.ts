import type { AxiosError } from "axios";
import type { IAxiosRetryConfig } from "axios-retry";
import { connectionProblem, NOT_RECEIVED, PERMANENT } from "./error-codes";
import { timeLeft } from "./deadline";
import { isHtml, parseEnvelope } from "./envelope";
import { isCancelled, type Clock } from "./rate-limiter";
import type { Operation } from "./operations";
import type { SharedRate } from "./shared-rate";

/** Only idempotent requests are retried after these; 429 is retried for most others, too. */
const RETRY_STATUS_CODES = new Set([502, 503, 504]);
/** The answers that may ask for a delay, which then replaces a shorter backoff. */
const AFTER_STATUS_CODES = new Set([429, 503]);

const FIRST_BACKOFF_MS = 500;
const BACKOFF_LIMIT_MS = 30_000;
/** The share of the backoff that is random, so that many clients do not retry at the same time. */
const JITTER = 0.5;
/** A longer delay that a server asks for with 503 is shortened to this. */
const MAX_RETRY_AFTER_MS = 120_000;
/** The longest time of all attempts and delays of a request, without the time in the rate limiter. */
const TOTAL_TIMEOUT_MS = 600_000;
/** Smaller numbers in `X-RateLimit-Reset` are seconds from now, others are Unix times. */
const MIN_UNIX_TIME_SECONDS = 1_000_000_000;

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
  readonly shared: Pick<SharedRate, "refusedInRow" | "unservedFor">;
}

/** The retries of one request, for axios-retry. */
export function retryConfig(context: RetryContext): IAxiosRetryConfig {
  const { operation, clock, log, attemptsMs, maxRetries, shared } = context;
  let failures = 0;
  let delay = 0;
  let totalDelay = 0;
  return {
    retryCondition: (error) => {
      if (isCancelled(clock) || !isRetryable(operation, error)) return false;
      const isRefusal = statusOf(error) === 429;
      if (!isRefusal) failures += 1;
      if (failures > maxRetries) return false;
      delay = Math.max(retryAfter(error) ?? 0, backoff(isRefusal ? shared.refusedInRow : failures));
      if (isRefusal && shared.unservedFor + delay > context.rateLimitTimeoutMs) return false;
      // The deadline of a call ends its writes; other calls may share its reads.
      if (operation.method !== "GET" && delay >= timeLeft(clock)) {
        log(
          `${operation.attempt}: ${reasonOf(error)}; not retrying, because customTimeouts leaves no time for it`,
        );
        return false;
      }
      return isRefusal || attemptsMs() + totalDelay + delay < TOTAL_TIMEOUT_MS;
    },
    // `onRetry` waits, because axios-retry itself does not use `clock`.
    retryDelay: () => 0,
    onRetry: async (_, error) => {
      const isRefusal = statusOf(error) === 429;
      const seconds = delay < 1_000 ? "" : ` in ${Math.round(delay / 1000)} s`;
      const count = isRefusal ? "" : ` (${failures} of ${maxRetries})`;
      log(`${operation.attempt}: ${reasonOf(error)}; retrying${seconds}${count}`);
      if (!isRefusal) totalDelay += delay;
      await clock.sleep(delay);
    },
  };
}

function isRetryable({ retryOn }: Operation, error: AxiosError): boolean {
  if (isTooLarge(error)) return false;
  const status = statusOf(error);
  if (status === 429) return retryOn === "any-failure" || provesRefusal(error);
  if (status !== undefined) return retryOn === "any-failure" && RETRY_STATUS_CODES.has(status);
  const problem = connectionProblem(error.code ?? "");
  return !PERMANENT.has(problem) && (retryOn === "any-failure" || NOT_RECEIVED.has(problem));
}

/** The delay that the server asks for, in milliseconds. `Retry-After` wins over `X-RateLimit-Reset`. */
export const retryAfter = ({ response }: AxiosError): number | undefined =>
  response && pauseOf(response.status, response.headers);

/** The delay that an answer with this status and these headers asks for, in milliseconds. */
export function pauseOf(status: number, headers: Readonly<Record<string, unknown>>): number | undefined {
  if (!AFTER_STATUS_CODES.has(status)) return undefined;
  const delay = millisecondsUntil(headers["retry-after"]) ?? millisecondsUntil(headers["x-ratelimit-reset"]);
  if (delay === undefined) return undefined;
  return Math.max(0, status === 429 ? delay : Math.min(MAX_RETRY_AFTER_MS, delay));
}

/** An HTTP date in one of its three forms, or an ISO 8601 date. `Date.parse` alone reads a date in `-5`, too. */
const DATE = /^\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*|\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d/;

/** The time until the moment in a header: seconds from now, a Unix time or a date. */
function millisecondsUntil(header: unknown): number | undefined {
  if (typeof header !== "string") return undefined;
  const isNumber = /^\s*\d+(\.\d+)?\s*$/.test(header);
  if (isNumber && Number(header) < MIN_UNIX_TIME_SECONDS) return Number(header) * 1000;
  const time = isNumber ? Number(header) * 1000 : DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(time) ? undefined : time - Date.now();
}

/** The delay before a retry, in milliseconds: exponential, with jitter. The first retry is number 1. */
export function backoff(retry: number): number {
  const delay = Math.min(BACKOFF_LIMIT_MS, FIRST_BACKOFF_MS * 2 ** (retry - 1));
  return delay * (1 - JITTER * Math.random());
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
