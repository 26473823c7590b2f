import type { ApiAnswer, ConnectionProblem, DatapipesErrorCode, RequestFailure } from "../../messages/errors";
import { ownMember } from "../../values/own-member";
import type { OperationKind } from "../operations";

/** Delays in milliseconds: each further one is twice as long, up to the longest. */
export interface Delays {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * What follows a failure.
 *
 * - `fail`: the error.
 * - `retry`: the request is sent again after these delays, at most so many times.
 * - `wait`: the request is sent again when the rate limiter lets it start, until `rateLimitTimeoutSeconds`.
 * - `look`: the request may have been carried out and is not sent again. Lists show for so long what
 * `createPipe` has done.
 */
export type Reaction =
  | { readonly action: "fail" }
  | { readonly action: "retry"; readonly delays: Delays; readonly limit: "maxRetries" | number }
  | { readonly action: "wait" }
  | { readonly action: "look"; readonly firstMs: number; readonly limitMs: number };

const FAIL: Reaction = { action: "fail" };
const RETRY: Reaction = {
  action: "retry",
  delays: { firstMs: 500, longestMs: 30_000 },
  limit: "maxRetries",
};
/** The request before it is still at work. */
const RETRY_BUSY: Reaction = { action: "retry", delays: { firstMs: 2_000, longestMs: 30_000 }, limit: 5 };
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

/** What is known of a response beside its status. */
interface ResponseFacts {
  /** A 429 certainly comes from the API. */
  readonly isRateLimit?: boolean;
  /** It is not in the format of the API. */
  readonly isUnreadable?: boolean;
  /** The request followed another request of the same update. */
  readonly isFollowUp?: boolean | undefined;
}

export function failureOfStatus(status: number, facts: ResponseFacts = {}): RequestFailure {
  const { isRateLimit = false, isUnreadable = false, isFollowUp = false } = facts;
  if (status === 429) return isRateLimit ? "rate-limit" : "gateway-rate-limit";
  if (status >= 502 && status <= 504) return "lost";
  // Gateways answer 408 and 499 when they lose the server or the client; the server may continue with the request.
  if (status >= 500 || status === 408 || status === 499) return "server-error";
  if (isUnreadable) return "unreadable";
  return status === 409 && isFollowUp ? "busy" : "refused";
}

export const failureOfConnection = (problem: ConnectionProblem): RequestFailure =>
  FAILURE_OF_CONNECTION[problem] ?? "lost";

/** Whether an error leaves open if the request was carried out. */
export const mayBeDone = ({ answer: { failure } }: { readonly answer: ApiAnswer }): boolean =>
  failure !== undefined && FAILURES[failure].create.action === "look";

const FAILURE_OF_CONNECTION: Readonly<Partial<Record<ConnectionProblem, RequestFailure>>> = {
  "host-not-found": "not-received",
  "connection-refused": "not-received",
  unreachable: "not-received",
  tls: "not-received",
  certificate: "refused",
  cancelled: "refused",
  "custom-timeout": "refused",
};

const PROBLEMS: Readonly<Record<string, ConnectionProblem>> = {
  ENOTFOUND: "host-not-found",
  EAI_AGAIN: "host-not-found",
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ECONNRESET: "connection-reset",
  ERR_BAD_RESPONSE: "connection-reset",
  ETIMEDOUT: "not-reached-in-time",
  ERR_CANCELED: "no-answer-in-time",
  ECONNABORTED: "no-answer-in-time",
};

/** Why there is no answer, by the error code of Node or axios. */
export function connectionProblem(code: string): ConnectionProblem {
  if (/CERT|SELF_SIGNED|VERIFY/.test(code)) return "certificate";
  if (/^EPROTO$|SSL|TLS/.test(code)) return "tls";
  return ownMember(PROBLEMS, code) ?? (code.startsWith("HPE_") ? "not-http" : "other");
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
