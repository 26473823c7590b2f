import { printableLines } from "./api/printable";

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

const MARKER = Symbol.for("pulumi-datapipes.error");

/** How Pulumi marks errors of which a program that does not catch them shows the message alone, without the stack. */
const SHOWN_WITHOUT_STACK = "__pulumiRunError";

/** Any error that this package throws on purpose. Its message never holds a secret. */
export class DatapipesError extends Error {
  /** Marks the errors of every copy of the package, where `instanceof` would know its own only. */
  readonly [MARKER] = true;

  /** Made by this package; programs only catch it. */
  constructor(
    /** What went wrong. */
    readonly code: DatapipesErrorCode,
    message: string,
    /** What the API answered, as far as it answered. */
    readonly answer: {
      /** The HTTP status code. */
      readonly status?: number;
      /** The id that the API gave the request. */
      readonly requestId?: string;
      /** The operation of the API document, such as `createPipe`. */
      readonly operation?: string;
      /** False when the server certainly saw nothing of the request. */
      readonly arrived?: boolean;
    } = {},
  ) {
    // Whatever a server's words have brought in, and whoever put them there.
    super(printableLines(message));
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
export class InvalidResponseError extends DatapipesError {}

/** No answer came: the name was not found, the connection refused or cut, the time ran out. */
export class ConnectionError extends DatapipesError {}

/** Whether a value is an error of this package, of whichever copy of it. */
export const isDatapipesError = (value: unknown): value is DatapipesError =>
  typeof value === "object" && value !== null && MARKER in value;
