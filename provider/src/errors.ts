import { printableLines } from "./printable";

/** What went wrong, for programs that decide by it. */
export type DatapipesErrorCode =
  | "configuration"
  | "invalid-argument"
  | "bad-request"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "service-idle"
  | "rate-limited"
  | "server-error"
  | "unexpected-status"
  | "invalid-response"
  | "connection"
  | "timeout";

/** Why a request got no answer. */
export type ConnectionProblem =
  | "host-not-found"
  | "no-name-service"
  | "connection-refused"
  | "unreachable"
  | "not-reached-in-time"
  | "certificate"
  | "tls"
  | "not-http"
  | "connection-reset"
  | "no-answer-in-time"
  | "other";

/** What is known of a failure beyond the answer of the API. */
export type Finding =
  | "several-pipes-appeared"
  | "similar-pipe-appeared"
  | "pipe-appeared"
  | "second-pipe-created"
  | "not-created"
  | "may-exist"
  | "may-be-deleted"
  | "pipe-not-listed"
  | "deletion-refused"
  | "pipe-failed"
  | "state-not-reached"
  | "nothing-to-adopt"
  | "not-adoptable"
  | "no-such-resource"
  | "no-such-pipe"
  | "several-pipes-of-name"
  | "no-settings"
  | "settings-not-known"
  | "impossible-id";

/** What the API answered, as far as it answered, and to which request. */
export interface ApiAnswer {
  /** The HTTP status code. */
  readonly status?: number;
  /** The id that the API gave the request. */
  readonly requestId?: string;
  /** The operation of the API document, such as `createPipe`. */
  readonly operation?: string;
  /** False when the request says what to do once, such as what to add to a list, so that it is not sent twice. */
  readonly repeatable?: boolean;
  /** The server's own words, without secrets and shortened; empty where it has none. */
  readonly words?: string;
  /** Whether an HTML page came back, which a gateway sends and the API does not. */
  readonly isPage?: boolean;
  /** Why there is no answer. */
  readonly connection?: ConnectionProblem;
  /** False when the server certainly saw nothing of the request. */
  readonly arrived?: boolean;
}

const MARKER = Symbol.for("pulumi-datapipes.error");

/** How Pulumi marks errors of which a program that does not catch them shows the message alone, without the stack. */
const SHOWN_WITHOUT_STACK = "__pulumiRunError";

/**
 * Any error that this package throws on purpose: facts alone. Its message never holds a secret. The errors that a program catches have
 * the one next step in their message as well.
 */
export class DatapipesError extends Error {
  /** Marks the errors of every copy of the package, where `instanceof` would know its own only. */
  readonly [MARKER] = true;
  /** What was attempted, on what, and what came back, without the summary of its cause and without advice. */
  readonly summary: string;
  /** What came back, in a few words, for a line of the log: `status 504`. */
  readonly reason: string;
  /** What the API answered, as far as it answered, and to which request. */
  readonly answer: ApiAnswer;
  /** What is known beyond the answer. */
  readonly finding?: Finding;
  /** The error that this one explains further. */
  declare readonly cause?: DatapipesError;

  /** Made by this package; programs only catch it. */
  constructor(
    /** What went wrong. */
    readonly code: DatapipesErrorCode,
    summary: string,
    facts: Partial<Pick<DatapipesError, "answer" | "reason" | "finding" | "cause">> = {},
  ) {
    const { cause, answer = cause?.answer ?? {}, reason = cause?.reason ?? code, finding } = facts;
    // Whatever a server's words have brought in, and whoever put them there.
    super(printableLines(summary), { cause });
    this.summary = this.message;
    this.reason = printableLines(reason);
    this.answer = answer;
    this.finding = finding;
    this.name = new.target.name;
    Object.defineProperty(this, SHOWN_WITHOUT_STACK, { value: true });
  }
}

/** The configuration lacks a value or holds one that cannot be used. Nothing was sent. */
export class ConfigurationError extends DatapipesError {
  /** Made by this package; programs only catch it. */
  constructor(problems: readonly string[]) {
    super("configuration", problems.join("\n"));
  }
}

/** The API answered, and the answer was not a success. */
export class ApiError extends DatapipesError {}

/** The API answered with something that is not its envelope: a page of a gateway, broken JSON, another type. */
export class InvalidResponseError extends DatapipesError {
  /** Made by this package; programs only catch it. */
  constructor(summary: string, answer: ApiAnswer, reason = "an invalid answer") {
    super("invalid-response", summary, { answer, reason });
  }
}

/** No answer came: the name was not found, the connection refused or cut, the time ran out. */
export class ConnectionError extends DatapipesError {}

/** Whether a value is an error of this package, of whichever copy of it. */
export const isDatapipesError = (value: unknown): value is DatapipesError =>
  typeof value === "object" && value !== null && MARKER in value;
