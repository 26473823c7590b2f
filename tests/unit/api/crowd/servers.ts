import type { RateLimit } from "../../../../provider/src/settings/settings";

type Headers = Readonly<Record<string, string>>;

/** Answers a request of the key. */
export type Server = (now: number) => { readonly isServed: boolean; readonly headers: Headers };

/** A count of the requests of one key, times in milliseconds. */
interface Counted {
  readonly isServed: boolean;
  readonly remaining: number;
  /** The time until another request is served, if this one is not. */
  readonly pause: number;
  /** The time until the count begins anew, or a request leaves it. */
  readonly reset: number;
}

type Count = (now: number) => Counted;
/** How services count. A refused request counts nowhere. */
export const COUNTS = {
  "fixed windows": ({ requests, seconds }: RateLimit): Count => {
    const length = seconds * 1000;
    let window = -1;
    let count = 0;
    return (now) => {
      const current = Math.floor(now / length);
      if (current !== window) [window, count] = [current, 0];
      const isServed = count < requests;
      if (isServed) count += 1;
      const reset = (current + 1) * length - now;
      return { isServed, remaining: requests - count, pause: reset, reset };
    };
  },
  "a rolling window": ({ requests, seconds }: RateLimit): Count => {
    let served: number[] = [];
    return (now) => {
      served = served.filter((at) => at > now - seconds * 1000);
      const isServed = served.length < requests;
      if (isServed) served.push(now);
      const reset = (served[0] ?? now) + seconds * 1000 - now;
      return { isServed, remaining: requests - served.length, pause: reset, reset };
    };
  },
  "a token bucket": ({ requests, seconds }: RateLimit): Count => {
    const interval = (seconds * 1000) / requests;
    let tokens = requests;
    let at = 0;
    return (now) => {
      tokens = Math.min(requests, tokens + (now - at) / interval);
      at = now;
      const isServed = tokens >= 1;
      if (isServed) tokens -= 1;
      const pause = (1 - tokens) * interval;
      return { isServed, remaining: Math.floor(tokens), pause, reset: (requests - tokens) * interval };
    };
  },
} as const;

const secondsOf = (milliseconds: number): string => String(Math.max(0, Math.ceil(milliseconds / 1000)));

const retryAfter = ({ isServed, pause }: Counted): Headers =>
  isServed ? {} : { "retry-after": secondsOf(pause) };

/** What services state in their answers. */
export const HEADERS = {
  none: () => ({}),
  "Retry-After": retryAfter,
} as const satisfies Readonly<Record<string, (counted: Counted) => Headers>>;

export type CountName = keyof typeof COUNTS;
export type HeadersName = keyof typeof HEADERS;

/** A service with one key. */
export function serverOf(count: CountName, headers: HeadersName, limit: RateLimit): Server {
  const counted = COUNTS[count](limit);
  return (now) => {
    const answer = counted(now);
    return { isServed: answer.isServed, headers: HEADERS[headers](answer) };
  };
}
