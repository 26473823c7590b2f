import { printableLines } from "./printable";

/** The kind of a failure, for programs to compare. */
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

/** Why a request got no response. */
export type ConnectionProblem =
  | "host-not-found"
  | "cancelled"
  | "custom-timeout"
  | "connection-refused"
  | "unreachable"
  | "not-reached-in-time"
  | "certificate"
  | "tls"
  | "not-http"
  | "connection-reset"
  | "no-answer-in-time"
  | "other";

/**
 * What a failure of a request means for the next attempt.
 *
 * - `not-received`: the server did not get the request.
 * - `rate-limit`: a 429 of the API, which then did nothing: it has the API's envelope or a header of a rate limit.
 * - `gateway-rate-limit`: a 429 of a gateway, which may have forwarded the request.
 * - `lost`: the response was lost; the request may have been carried out.
 * - `server-error`: the server failed; the request may have been carried out.
 * - `unreadable`: the response is not in the format of the API, such as an HTML page of a gateway.
 * - `busy`: the service still works on the request before, of the same update.
 * - `refused`: any other response, or the provider sent nothing.
 */
export type RequestFailure =
  | "not-received"
  | "rate-limit"
  | "gateway-rate-limit"
  | "lost"
  | "server-error"
  | "unreadable"
  | "busy"
  | "refused";

/** What the provider knows of a failure beyond the response of the API. */
export type Finding =
  | "null-list"
  | "pipe-not-identified"
  | "may-exist"
  | "may-be-deleted"
  | "may-be-updated"
  | "deletion-refused"
  | "pipe-failed"
  | "state-not-reached"
  | "nothing-to-adopt"
  | "not-adoptable"
  | "not-found"
  | "several-pipes-of-name";

/** The request that failed, and the response, if any. */
export interface ApiAnswer {
  /** The HTTP status code. */
  readonly status?: number;
  /** The ID that the API gave the request. */
  readonly requestId?: string;
  /** The operation of the API document, such as `createPipe`. */
  readonly operation?: string;
  /** The server's own words, without secrets and shortened; empty where it has none. */
  readonly words?: string;
  /** Why there is no response. */
  readonly connection?: ConnectionProblem;
  /** What the failure means for the next attempt. */
  readonly failure?: RequestFailure;
}

const MARKER = Symbol.for("pulumi-datapipes.error");

/**
 * Any error that this package throws on purpose. Its message never contains a secret. For a program that catches it,
 * the message ends with a next step.
 */
export class DatapipesError extends Error {
  /** Marks the errors of every copy of the package, which `instanceof` does not. */
  readonly [MARKER] = true;
  /** What failed, on what, and the response; without the summary of the cause and without a next step. */
  readonly summary: string;
  /** The response in a few words, for log lines: `status 504`. */
  readonly reason: string;
  /** The request that failed, and the response, if any. */
  readonly answer: ApiAnswer;
  /** What the provider knows beyond the response. */
  readonly finding?: Finding;
  /** The error that led to this one. */
  declare readonly cause?: DatapipesError;

  /** For this package only: programs catch these errors, and do not construct them. */
  constructor(
    /** What went wrong. */
    readonly code: DatapipesErrorCode,
    summary: string,
    facts: Partial<Pick<DatapipesError, "answer" | "reason" | "finding" | "cause">> = {},
  ) {
    const { cause, answer = cause?.answer ?? {}, reason = cause?.reason ?? code, finding } = facts;
    // A server's words may contain control characters.
    super(printableLines(summary), { cause });
    this.summary = this.message;
    this.reason = printableLines(reason);
    this.answer = answer;
    this.finding = finding;
    this.name = new.target.name;
    // Pulumi shows uncaught errors with this property without their stack.
    Object.defineProperty(this, "__pulumiRunError", { value: true });
  }
}

/** A setting is missing or malformed. The provider sent no request. */
export class ConfigurationError extends DatapipesError {}

/** The API returned an error status. */
export class ApiError extends DatapipesError {}

/** The response is not in the format of the API: a page of a gateway, invalid JSON, or another type. */
export class InvalidResponseError extends DatapipesError {}

/** No response: unknown host, connection refused or closed, or a timeout. */
export class ConnectionError extends DatapipesError {}

/** Whether the API says that something does not exist. A gateway's page of status 404 says nothing of it. */
export const saysNotFound = ({ code, answer }: DatapipesError): boolean =>
  code === "not-found" && answer.failure !== "unreadable";

/** Whether a value is an error of this package, or of another copy of it. */
export const isDatapipesError = (value: unknown): value is DatapipesError =>
  typeof value === "object" && value !== null && MARKER in value;
