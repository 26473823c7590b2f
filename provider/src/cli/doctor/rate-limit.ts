type Headers = Readonly<Record<string, unknown>>;

/** What is left of a rate limit, as far as a server states it. */
interface Quota {
  readonly remaining: number;
  readonly limit?: number | undefined;
  /** The time until the server counts anew. */
  readonly resetSeconds?: number | undefined;
}

/** Larger numbers in a header about time are Unix times, smaller ones seconds from now. */
const FIRST_UNIX_TIME = 1_000_000_000;

/** Reads `X-RateLimit-*`, and `RateLimit` and `RateLimit-*` of the drafts of the IETF. */
function quotaOf(headers: Headers): Quota | undefined {
  const combined = members(headers["ratelimit"]);
  const remaining = number(headers, "remaining") ?? combined("remaining") ?? combined("r");
  if (remaining === undefined) return undefined;
  const reset = number(headers, "reset") ?? combined("reset") ?? combined("t");
  const isTime = reset !== undefined && reset >= FIRST_UNIX_TIME;
  return {
    remaining,
    limit: number(headers, "limit") ?? combined("limit"),
    resetSeconds: isTime ? Math.max(0, reset - Date.now() / 1000) : reset,
  };
}

/** The number in a header of its own: `X-RateLimit-Remaining` or `RateLimit-Remaining`. */
function number(headers: Headers, name: string): number | undefined {
  const [first] = [`x-ratelimit-${name}`, `ratelimit-${name}`].flatMap((header) => {
    const value = headers[header];
    return typeof value === "string" && /^\s*\d{1,12}\b/.test(value) ? [parseInt(value, 10)] : [];
  });
  return first;
}

/** The numbers of a `RateLimit` header: `limit=10, remaining=7, reset=5` or `"default";r=7;t=5`. */
function members(header: unknown): (name: string) => number | undefined {
  const text = typeof header === "string" ? header : "";
  return (name) => {
    const value = new RegExp(`(?:^|[;,\\s])${name}=(\\d{1,12})`).exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  };
}

/** What is left of a rate limit, as far as the server states it in headers. */
export function statedRateLimit(headers: Readonly<Record<string, unknown>>): string | undefined {
  const quota = quotaOf(headers);
  if (quota === undefined) return undefined;
  const { remaining, limit, resetSeconds } = quota;
  const of = limit === undefined ? "" : ` of ${limit}`;
  const until = resetSeconds === undefined ? "" : ` for the next ${Math.ceil(resetSeconds)} s`;
  return `The server states that ${remaining}${of} requests are left${until}.`;
}
