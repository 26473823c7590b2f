import type { OperationKind } from "../document/operations";
import { DatapipesError, isDatapipesError, type Finding } from "../../messages/errors";
import { failureOf, type RequestFailure } from "./failure";

/** The delays of retries: exponential, with jitter. */
export const BACKOFF = {
  firstMs: 500,
  limitMs: 30_000,
  /** The share that is random, so that many clients do not retry at the same time. */
  jitter: 0.5,
  /** After a 429, the longest delay is this share of the time that is left of `rateLimitTimeoutSeconds`. */
  timeLeftShare: 0.1,
  /** The answers that may ask for a delay, which then replaces a shorter backoff. */
  afterStatusCodes: [429, 503],
  /** A longer delay that a server asks for with 503 is shortened to this. */
  maxRetryAfterMs: 120_000,
  /** The longest time of all attempts and delays of a request, without the time in the rate limiter. */
  totalMs: 600_000,
} as const;

/** The delays before a request that follows another one of the same update is sent again, while that one keeps the service busy. */
export const BUSY_DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/**
 * What follows a failure.
 *
 * - `fail`: the error.
 * - `retry`: the request is sent again, at most `maxRetries` times.
 * - `wait`: the request is sent again, until the service has refused every request for `rateLimitTimeoutSeconds`.
 * - `look`: the request may have been carried out, and is not sent again. The list of pipes shows what `createPipe` has done.
 */
export type Reaction = "fail" | "retry" | "wait" | "look";

/** A failure, and what follows it. */
export type Repetition = { readonly words: string } & Readonly<Record<OperationKind, Reaction>>;

/** What the provider repeats: the one table of it, from which `docs/reference/retries.md` is made. */
export const REPETITION = {
  "not-received": {
    words: "the server saw nothing: no address, no route, connection refused",
    idempotent: "retry",
    create: "retry",
  },
  tls: { words: "a TLS handshake that fails", idempotent: "retry", create: "retry" },
  "rate-limit": { words: "429 of the API", idempotent: "wait", create: "wait" },
  "gateway-rate-limit": { words: "429 of a gateway", idempotent: "wait", create: "look" },
  lost: {
    words: "502, 503, 504, timeout; connection reset, also inside the answer",
    idempotent: "retry",
    create: "look",
  },
  "server-error": { words: "500 and other 5xx, 408, 499", idempotent: "fail", create: "look" },
  unreadable: {
    words: "a success that cannot be read, an HTML page of a gateway, an answer over 256 MiB",
    idempotent: "fail",
    create: "look",
  },
  refused: {
    words: "any other answer, a redirect, a certificate that is not accepted",
    idempotent: "fail",
    create: "fail",
  },
} as const satisfies Readonly<Record<RequestFailure, Repetition>>;

/** Whether an error leaves open if the write took effect. */
export const isOutcomeUnknown = (error: unknown): error is DatapipesError =>
  isDatapipesError(error) && REPETITION[failureOf(error)].create === "look";

/** Adds to an error what may be true if the outcome is unknown, for objects that the API cannot read. */
export const explainUnknownOutcome =
  (summary: string, finding: Finding) =>
  (error: unknown): never => {
    throw isOutcomeUnknown(error)
      ? new DatapipesError(error.code, summary, { finding, cause: error })
      : error;
  };
