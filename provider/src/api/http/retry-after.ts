/** The longest delay that a 503 sets, in milliseconds. */
export const MAX_DELAY_OF_503_MS = 120_000;

/** The milliseconds that an answer asks to wait. `Retry-After` wins over `X-RateLimit-Reset`. */
export function retryAfterMs(status: number, headers: Readonly<Record<string, unknown>>): number {
  if (status !== 429 && status !== 503) return 0;
  const delay = timeUntil(headers["retry-after"]) ?? timeUntil(headers["x-ratelimit-reset"]) ?? 0;
  return Math.max(0, status === 429 ? delay : Math.min(MAX_DELAY_OF_503_MS, delay));
}

/** Larger numbers are Unix times, smaller ones seconds from now. */
const FIRST_UNIX_TIME = 1_000_000_000;

/** An HTTP date in one of its three forms, or an ISO 8601 date. `Date.parse` alone reads a date in `-5`, too. */
const DATE = /^\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*|\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d/;

function timeUntil(header: unknown): number | undefined {
  if (typeof header !== "string") return undefined;
  const number = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : NaN;
  if (number < FIRST_UNIX_TIME) return number * 1000;
  const time = Number.isNaN(number) && DATE.test(header) ? Date.parse(header) : number * 1000;
  return Number.isNaN(time) ? undefined : time - Date.now();
}
