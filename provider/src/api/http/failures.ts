import type { ApiAnswer, ConnectionProblem, DatapipesErrorCode, RequestFailure } from "../../messages/errors";
import type { OperationKind } from "../operations";

/**
 * What follows a failure.
 *
 * - `fail`: the error.
 * - `retry`: the request is sent again after delays from `firstMs` on, at most so many times.
 * - `wait`: the request is sent again when the rate limiter lets it start, until `rateLimitTimeoutSeconds`.
 * - `look`: the request may have been carried out and is not sent again. Lists show for so long what
 * `createPipe` has done.
 */
export type Reaction =
  | { readonly action: "fail" }
  | { readonly action: "retry"; readonly firstMs: number; readonly limit: "maxRetries" | number }
  | { readonly action: "wait" }
  | { readonly action: "look"; readonly firstMs: number; readonly limitMs: number };

const FAIL: Reaction = { action: "fail" };
const RETRY: Reaction = { action: "retry", firstMs: 500, limit: "maxRetries" };
/** The request before it is still at work. */
const RETRY_BUSY: Reaction = { action: "retry", firstMs: 2_000, limit: 5 };
const WAIT: Reaction = { action: "wait" };
/** A list may be as it was before a write for a minute. */
export const LOOK = { action: "look", firstMs: 1_000, limitMs: 60_000 } as const satisfies Reaction;

const row = (read: Reaction, idempotent: Reaction, create: Reaction) => ({ read, idempotent, create });

/** What the provider does after each failure of each kind of operation. `docs/reference/retries.md` is made from it. */
export const FAILURES = {
  /** host not found, no route, connection refused, TLS handshake failed */
  "not-received": row(RETRY, RETRY, RETRY),
  /** 429 of the API */
  "rate-limit": row(WAIT, WAIT, WAIT),
  /** 429 of a gateway, which may have forwarded the request */
  "gateway-rate-limit": row(WAIT, WAIT, LOOK),
  /** 502, 503, 504, timeout, connection reset */
  lost: row(RETRY, RETRY, LOOK),
  /** 500 and other 5xx, 408, 499 */
  "server-error": row(FAIL, FAIL, LOOK),
  /** a success that cannot be read, an HTML page of a gateway */
  unreadable: row(FAIL, FAIL, LOOK),
  /** 409 to the second request of one update */
  busy: row(FAIL, RETRY_BUSY, FAIL),
  /** any other response, a redirect, a certificate that is not accepted */
  refused: row(FAIL, FAIL, FAIL),
} as const satisfies Readonly<Record<RequestFailure, Readonly<Record<OperationKind, Reaction>>>>;

/**
 * The failure of a response. `isRateLimit`: it has the API's envelope or a header of a rate limit. `isUnreadable`: it is
 * not in the format of the API. `isFollowUp`: the request followed another request of the same update.
 */
export function failureOfStatus(
  status: number,
  { isRateLimit = false, isUnreadable = false, isFollowUp = false } = {},
): RequestFailure {
  // A page comes from a gateway, whatever its headers are.
  if (status === 429) return isRateLimit && !isUnreadable ? "rate-limit" : "gateway-rate-limit";
  if (status >= 502 && status <= 504) return "lost";
  // Gateways answer 408 and 499 when they lose the server or the client; the server may continue with the request.
  if (status >= 500 || status === 408 || status === 499) return "server-error";
  if (isUnreadable) return "unreadable";
  return status === 409 && isFollowUp ? "busy" : "refused";
}

/** Whether an error leaves open if the request was carried out. */
export const mayBeDone = ({ answer: { failure } }: { readonly answer: ApiAnswer }): boolean =>
  failure !== undefined && FAILURES[failure].create.action === "look";

/** The error codes of Node and axios, the problem behind each, and what it means for the request. */
const NO_ANSWERS: readonly (readonly [RegExp, ConnectionProblem, RequestFailure])[] = [
  [/CERT|SELF_SIGNED|VERIFY/, "certificate", "refused"],
  [/^EPROTO$|SSL|TLS/, "tls", "not-received"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "host-not-found", "not-received"],
  [/^ECONNREFUSED$/, "connection-refused", "not-received"],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, "unreachable", "not-received"],
  [/^(ECONNRESET|ERR_BAD_RESPONSE)$/, "connection-reset", "lost"],
  [/^ETIMEDOUT$/, "not-reached-in-time", "lost"],
  [/^(ERR_CANCELED|ECONNABORTED)$/, "no-answer-in-time", "lost"],
  [/^HPE_/, "not-http", "lost"],
];

/** Why there is no answer, by the error code of Node or axios. */
export function noAnswer(code: string): { connection: ConnectionProblem; failure: RequestFailure } {
  const [, connection, failure] = NO_ANSWERS.find(([codes]) => codes.test(code)) ?? [code, "other", "lost"];
  return { connection, failure };
}

const CODES: Readonly<Record<number, DatapipesErrorCode>> = {
  400: "bad-request",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  405: "method-not-allowed",
  409: "conflict",
  413: "bad-request",
  422: "bad-request",
  424: "service-idle",
  429: "rate-limited",
};

export const codeOf = (status: number): DatapipesErrorCode =>
  CODES[status] ?? (status >= 500 ? "server-error" : "unexpected-status");
