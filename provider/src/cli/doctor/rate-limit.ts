import { quotaOf } from "../../api/http/quota";

/** What is left of a rate limit, as far as the server states it in headers. */
export function statedRateLimit(headers: Readonly<Record<string, unknown>>): string | undefined {
  const quota = quotaOf(headers);
  if (quota === undefined) return undefined;
  const { remaining, limit, resetSeconds } = quota;
  const of = limit === undefined ? "" : ` of ${limit}`;
  const until = resetSeconds === undefined ? "" : ` for the next ${Math.ceil(resetSeconds)} s`;
  return `The server states that ${remaining}${of} requests are left${until}.`;
}
