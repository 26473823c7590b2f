/** The maximum of requests in a window of some seconds. */
export interface RateLimit {
  requests: number;
  seconds: number;
}

/** Reads `"10/10s"` or `"off"`. */
export function parseRateLimit(text: string): RateLimit | undefined {
  if (text === "off") return undefined;
  const [, requests, seconds] = /^([1-9]\d*)\/([1-9]\d*)s$/.exec(text) ?? [];
  if (requests === undefined || seconds === undefined)
    throw new RangeError('The rate limit must be "<requests>/<seconds>s", for example "10/10s", or "off".');
  return { requests: Number(requests), seconds: Number(seconds) };
}

/** In which windows services count: any ten seconds, or those from :00 to :10, from :10 to :20 and so on. */
export const RATE_LIMIT_WINDOWS = ["rolling", "fixed"] as const;
export type RateLimitWindow = (typeof RATE_LIMIT_WINDOWS)[number];

/** Counts the requests of each key. Refused requests do not count. */
export class RateLimiter {
  private readonly starts = new Map<string, number[]>();

  constructor(
    private readonly limit: RateLimit | undefined,
    private readonly kind: RateLimitWindow,
  ) {}

  /** Counts a request; over the limit, returns the seconds until the next one is allowed. */
  take(key: string, now: number): number | undefined {
    if (!this.limit) return undefined;
    const { requests, seconds } = this.limit;
    const length = seconds * 1000;
    const age = this.kind === "fixed" ? now % length : length;
    const isInWindow = (start: number): boolean => now - start < length && now - start <= age;
    const window = (this.starts.get(key) ?? []).filter(isInWindow);
    this.starts.set(key, window);
    const oldest = window[0];
    if (oldest === undefined || window.length < requests) {
      window.push(now);
      return undefined;
    }
    const begin = this.kind === "fixed" ? now - age : oldest;
    return Math.max(1, Math.ceil((begin + length - now) / 1000));
  }

  clear(): void {
    this.starts.clear();
  }
}
