import type { OperationKind } from "../document/operations";
import type { RequestFailure } from "./failure";

/** What follows a failure. */
export type Reaction = { readonly words: string } & (
  | { readonly action: "fail" }
  /** Fails, and names a pipe that has appeared meanwhile. */
  | { readonly action: "report" }
  | Retry
  | Look
);

/** Sends the request again. */
export interface Retry {
  readonly action: "retry";
  /** A number, or the setting that limits how often. */
  readonly atMost: number | "maxRetries" | "rateLimitTimeoutSeconds";
  readonly delaysMs: readonly number[] | "backoff";
}

/** Reads what the request has done, and sends what is missing. */
export interface Look {
  readonly action: "look";
  /** How often the request is sent again. */
  readonly atMost: number;
  /** The delay before each read. */
  readonly delaysMs: readonly number[];
  /** Those of further reads if the request is not sent again: the next run would, if the list shows the pipe still later. */
  readonly laterMs?: readonly number[];
}

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

/** The delays before a list is read again and again while it may be as it was before a write. */
const LIST_DELAYS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** For so long after a write, in milliseconds, a list may be as it was before: a minute. */
export const LIST_LAG_MS = LIST_DELAYS_MS.reduce((sum, delay) => sum + delay);

/** Further reads of the list of pipes, for other reasons than a failed request. */
export const LIST_READS = {
  /** It may lag behind a create or a delete, or come from a replica that lacks a pipe. */
  missing: {
    words: "lacks a pipe of the stack",
    delaysMs: LIST_DELAYS_MS.slice(0, 3),
    /** While the list may be behind the last write, or lacks most pipes of the stack. */
    laterMs: LIST_DELAYS_MS.slice(3),
  },
  /** A list that shows the pipe of a repeated POST shows also what the POST before it created. */
  repeated: {
    words: "does not show yet the pipe that a repeated `createPipe` has created",
    delaysMs: [0, ...LIST_DELAYS_MS],
  },
  /** A read that fails after this time is the last one. */
  limitMs: 600_000,
  /** The shortest time between two reads of a list that is not cached. */
  spacingMs: 1_000,
  /** A read for another pipe that comes after this share of a delay will do, too. */
  earlyShare: 0.25,
  /** Not after longer delays: the last ones give the list the time to show a pipe. */
  maxEarlyDelayMs: 8_000,
} as const;

const NO: Reaction = { action: "fail", words: "no" };
const REPORT: Reaction = { action: "report", words: "no, but look once" };
const RETRY: Reaction = { action: "retry", words: "retry", atMost: "maxRetries", delaysMs: "backoff" };
const WAIT: Reaction = {
  action: "retry",
  words: "wait, then retry",
  atMost: "rateLimitTimeoutSeconds",
  delaysMs: "backoff",
};

/** An earlier request keeps the service busy. */
const BUSY_DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];
const BUSY = {
  action: "retry",
  words: "retry while busy",
  atMost: BUSY_DELAYS_MS.length,
  delaysMs: BUSY_DELAYS_MS,
} as const;

/** A server may go on with a request for two seconds after its answer was lost. */
const LOOK_AT_EDIT: Reaction = { action: "look", words: "look first", atMost: 2, delaysMs: [2_000] };

const LOOK = {
  action: "look",
  words: "look at the list first",
  atMost: 2,
  delaysMs: [0, ...LIST_DELAYS_MS.slice(0, -1)],
  laterMs: LIST_DELAYS_MS.slice(-1),
} as const;
const LOOK_LONGER: Reaction = {
  action: "look",
  words: "look longer first",
  atMost: 2,
  delaysMs: [0, ...LIST_DELAYS_MS],
};
/** The status says success: a second POST would duplicate a pipe that the list shows late. */
const LOOK_ONLY: Reaction = { ...LOOK, words: "look, no retry", atMost: 0 };
/** Also the reaction to any refusal of a repeated POST: the first one may have created the pipe. */
export const LOOK_ONCE: Look & Reaction = { action: "look", words: "look once", atMost: 0, delaysMs: [0] };

/** A failure, and what follows it. */
export interface Repetition extends Readonly<Record<OperationKind, Reaction>> {
  readonly words: string;
  /** Whether the request may have taken effect. */
  readonly outcome: "none" | "unknown";
}

const never = { outcome: "none", idempotent: NO, edit: NO, createPipe: NO, createEndpoint: NO } as const;
const always = (reaction: Reaction) =>
  ({
    outcome: "none",
    idempotent: reaction,
    edit: reaction,
    createPipe: reaction,
    createEndpoint: reaction,
  }) as const;
/** The request may have taken effect. */
const unknown = (idempotent: Reaction, createPipe: Reaction) =>
  ({ outcome: "unknown", idempotent, edit: LOOK_AT_EDIT, createPipe, createEndpoint: NO }) as const;

/** All that the provider repeats: the one table of it, from which `docs/reference/retries.md` is made. */
export const REPETITION = {
  "not-received": {
    words: "the server saw nothing: no address, no route, connection refused",
    ...always(RETRY),
  },
  "rate-limit": { words: "429 of the API", ...always(WAIT) },
  "gateway-rate-limit": { words: "429 of a gateway", ...unknown(WAIT, LOOK) },
  interrupted: { words: "502, 503; connection reset, also inside the answer", ...unknown(RETRY, LOOK) },
  late: { words: "504, timeout", ...unknown(RETRY, LOOK_LONGER) },
  "server-error": { words: "500 and other 5xx, 408, 499", ...unknown(NO, LOOK) },
  unreadable: { words: "a success that cannot be read, an answer over 256 MiB", ...unknown(NO, LOOK_ONLY) },
  redirect: { words: "a redirect", ...unknown(NO, LOOK_ONCE) },
  tls: { words: "a TLS connection that fails", ...unknown(NO, LOOK) },
  certificate: { words: "a certificate that is not accepted", ...never },
  busy: { words: "409 to the second request of a table-mapping change", ...never, edit: BUSY },
  refused: { words: "any other answer", ...never, createPipe: REPORT },
} as const satisfies Readonly<Record<RequestFailure, Repetition>>;
