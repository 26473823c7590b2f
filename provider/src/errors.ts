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

const MARKER = Symbol.for("pulumi-datapipes.error");

/** How Pulumi marks errors of which a program that does not catch them shows the message alone, without the stack. */
const SHOWN_WITHOUT_STACK = "__pulumiRunError";

/** The parts of an error's message. Whoever wraps an error takes over its summary and gives a next step of its own. */
export interface ErrorText {
  /** What was attempted, on what, and what came back, in whole sentences. */
  readonly summary: string;
  /** The one thing to do next, in one sentence. */
  readonly nextStep: string;
  /** What came back, in a few words: `status 504`. Default: the code. */
  readonly reason?: string;
}

/** Any error that this package throws on purpose. Its message never holds a secret. */
export class DatapipesError extends Error {
  /** Marks the errors of every copy of the package, where `instanceof` would know its own only. */
  readonly [MARKER] = true;
  /** The message without its advice: what was attempted, on what, and what came back. */
  readonly summary: string;
  /** The advice at the end of the message; empty where there is none. */
  readonly nextStep: string;
  /** What came back, in a few words, for a line that goes on: `status 504`. */
  readonly reason: string;

  /** Made by this package; programs only catch it. */
  constructor(
    /** What went wrong. */
    readonly code: DatapipesErrorCode,
    text: string | ErrorText,
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
    const {
      summary,
      nextStep,
      reason = code,
    } = printableText(typeof text === "string" ? asSummary(text) : text);
    super(nextStep === "" ? summary : `${summary} ${nextStep}`);
    this.summary = summary;
    this.nextStep = nextStep;
    this.reason = reason;
    this.name = new.target.name;
    Object.defineProperty(this, SHOWN_WITHOUT_STACK, { value: true });
  }
}

/** Whatever a server's words have brought in, and whoever put them there. */
const printableText = ({ summary, nextStep, reason }: ErrorText): ErrorText => ({
  summary: printableLines(summary),
  nextStep: printableLines(nextStep),
  ...(reason !== undefined && { reason: printableLines(reason) }),
});

const asSummary = (summary: string): ErrorText => ({ summary, nextStep: "" });

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
