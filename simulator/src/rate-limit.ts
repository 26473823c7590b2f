/** The maximum of requests in any window of some seconds. */
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

/** A rolling window per key. Refused requests do not count. */
export class RateLimiter {
  private readonly starts = new Map<string, number[]>();

  constructor(private readonly limit: RateLimit | undefined) {}

  /** Counts a request; over the limit, returns the seconds until the next one is allowed. */
  take(key: string, now: number): number | undefined {
    if (!this.limit) return undefined;
    const { requests, seconds } = this.limit;
    const window = (this.starts.get(key) ?? []).filter((start) => now - start < seconds * 1000);
    this.starts.set(key, window);
    const oldest = window[0];
    if (oldest === undefined || window.length < requests) {
      window.push(now);
      return undefined;
    }
    return Math.max(1, Math.ceil((oldest + seconds * 1000 - now) / 1000));
  }

  clear(): void {
    this.starts.clear();
  }
}
