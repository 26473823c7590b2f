import type { AxiosError } from "axios";
import type { IAxiosRetryConfig } from "axios-retry";
import { connectionProblem, LASTING, NEVER_ARRIVED } from "./failure";
import type { Clock } from "./rate-limiter";
import type { Operation } from "./operations";

/** Answers that say: not now. */
const BUSY = new Set([502, 503, 504]);

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** The longest pause that a server can ask for. */
const MAX_PAUSE_MS = 120_000;
/** After so much time, waits for its turn left out, a request is not begun again. */
const MAX_TOTAL_MS = 600_000;
/** A reset later than so many seconds is no span of time but a moment since 1970. */
const EPOCH_SECONDS = 1_000_000_000;

/** What the repetitions of one request need. */
export interface RetryOptions {
  readonly operation: Operation;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** How long its attempts have taken so far, in milliseconds. */
  readonly spent: () => number;
}

/**
 * Repeats what is safe to repeat: whatever the server did not take on, because it was turned away by the rate limit or never
 * arrived; and what may run twice without harm, after any passing failure.
 */
export function retryConfig({ operation, clock, log, spent }: RetryOptions): IAxiosRetryConfig {
  let delays = 0;
  let delay = 0;
  return {
    // Told beforehand, so that the line comes before the wait and not after it.
    retryDelay: () => 0,
    retryCondition: (error) => {
      const retry = (error.config?.["axios-retry"]?.retryCount ?? 0) + 1;
      delay = pauseAskedFor(error) ?? backoff(retry);
      return mayRepeat(operation, error) && spent() + delays + delay < MAX_TOTAL_MS;
    },
    onRetry: async (count, error, { "axios-retry": { retries } = {} }) => {
      const seconds = delay < 1_000 ? "" : ` in ${Math.round(delay / 1000)} s`;
      log(`${operation.attempt}: ${reasonOf(error)}; trying again${seconds} (${count} of ${retries})`);
      delays += delay;
      await clock.sleep(delay);
    },
  };
}

/** The status of an answer that came whole; one whose body was cut is none. */
export const statusOf = ({ response }: AxiosError): number | undefined =>
  typeof response?.data === "string" ? response.status : undefined;

/** Whether the answer was given up because of its size. */
export const isTooLarge = ({ message }: AxiosError): boolean => message.startsWith("maxContentLength");

/** The codes that axios gives a request that took longer than the timeout. */
const GIVEN_UP: ReadonlySet<string> = new Set(["ERR_CANCELED", "ECONNABORTED"]);

const reasonOf = (error: AxiosError): string => {
  const status = statusOf(error);
  if (status !== undefined) return `status ${status}`;
  const { code = "no answer" } = error;
  return GIVEN_UP.has(code) ? "no answer in time" : code;
};

function mayRepeat({ repeatable }: Operation, error: AxiosError): boolean {
  const status = statusOf(error);
  if (isTooLarge(error)) return false;
  const harmless = repeatable === "after-any-failure";
  if (status === 429) return repeatable !== "when-unseen";
  if (status !== undefined) return harmless && BUSY.has(status);
  const problem = connectionProblem(error.code ?? "");
  return !LASTING.has(problem) && (harmless || NEVER_ARRIVED.has(problem));
}

/** Doubles from try to try, with half of it by chance, so that many clients do not come back together. */
export const backoff = (count: number): number => {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1));
  return delay / 2 + (Math.random() * delay) / 2;
};

/** How long the server asks to be left alone, in milliseconds. */
export function pauseAskedFor({ response }: AxiosError): number | undefined {
  if (response?.status !== 429 && response?.status !== 503) return undefined;
  const headers = response.headers as Record<string, unknown>;
  const asked = [headers["retry-after"], headers["x-ratelimit-reset"]].map(millisecondsUntil);
  const first = asked.find((milliseconds) => milliseconds !== undefined);
  return first === undefined ? undefined : Math.min(MAX_PAUSE_MS, Math.max(0, first));
}

function millisecondsUntil(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
  if (seconds < EPOCH_SECONDS) return seconds * 1000;
  const moment = Number.isNaN(seconds) ? Date.parse(text) : seconds * 1000;
  return Number.isNaN(moment) ? undefined : moment - Date.now();
}
