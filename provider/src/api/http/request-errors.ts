import { ApiError, ConnectionError, InvalidResponseError, type ApiAnswer } from "../../messages/errors";
import { printable } from "../../messages/printable";
import { shortened } from "../../messages/quoted";
import type { Call } from "../operations";
import { envelopeOf, isHtml, type Answer, type Envelope } from "../safe";
import { inJson, userNamesOf, type Secrets } from "../secrets/redaction";
import { codeOf, failureOfStatus, noAnswer } from "./failures";

/**
 * How many characters an error repeats of a server's words, of an ID, of a content type, and of the reason of a
 * failed connection.
 */
const MAX_WORDS = 150;
const MAX_ID = 100;
const MAX_REASON = 300;
/** How many characters are read to find these: white space takes some of them. */
const READ_FACTOR = 8;
/** The longest error that the provider decodes, in characters. */
const MAX_DECODED = 1024 * 1024;

/** The errors of one request: what was attempted, on what, and what came back, without secrets. */
export class RequestErrors {
  readonly #userNames: Secrets;

  constructor(
    private readonly call: Call,
    private readonly secrets: Secrets,
  ) {
    secrets.addFrom(call.body);
    this.#userNames = userNamesOf(call.body);
  }

  /** The error of an answer with this status, which an envelope may state within another envelope. */
  refused(status: number, { text, headers }: Answer): ApiError {
    const isPage = isHtml(text);
    const envelope = envelopeOfError(text);
    const { error, message, requestId = headers["x-request-id"] } = envelope;
    const parts = [error, message].filter((part) => (part ?? "") !== "");
    const shown = parts.map((part) => this.#shown(part, MAX_WORDS)).join(": ");
    const words = isPage ? "an HTML page" : shortened(shown, MAX_WORDS);
    const failure = failureOfStatus(status, {
      isUnreadable: isPage,
      isRateLimit: envelope.status === 429 || Object.keys(headers).some(isOfRateLimit),
      isFollowUp: this.call.options.isFollowUp,
    });
    const answer = { ...this.#answer(status, requestId), words, failure };
    const said = words === "" ? "" : `: ${words}`;
    const summary = this.#summary(`the server returned ${status}${inBrackets(answer.requestId)}${said}`);
    return new ApiError(codeOf(status), summary, { answer, reason: `status ${status}` });
  }

  /** The error of a success that cannot be read. `what` is the end of the sentence. */
  unreadable(what: string, { status, text }: Answer): InvalidResponseError {
    const failure = failureOfStatus(status, { isUnreadable: true });
    const answer = { ...this.#answer(status, envelopeOfError(text).requestId), failure };
    const came = `the server returned ${status}${inBrackets(answer.requestId)}, but ${this.#shown(what, MAX_WORDS)}`;
    const reason = "an invalid response";
    return new InvalidResponseError("invalid-response", this.#summary(came), { answer, reason });
  }

  /** The error of a request without an answer, by the code and the message of Node or axios. */
  unanswered(code: string, message: string, timeoutSeconds: number): ConnectionError {
    const answer = { ...this.#answer(), ...noAnswer(code) };
    const isTimeout = ["not-reached-in-time", "no-answer-in-time"].includes(answer.connection);
    const isLate = code === "ERR_CANCELED";
    const reason = isLate ? `no response within ${timeoutSeconds} s` : `no response (${code})`;
    // The message of a TLS error may quote the server's certificate.
    const summary = this.#summary(
      `the provider got ${isLate ? reason : `no response: ${this.#shown(message, MAX_REASON)}`}`,
    );
    return new ConnectionError(isTimeout ? "timeout" : "connection", summary, { answer, reason });
  }

  #answer(status?: number, requestId = ""): ApiAnswer {
    const shown = this.#shown(requestId, MAX_ID);
    return { operation: this.call.name, status, requestId: shown === "" ? undefined : shown };
  }

  /** The beginning of a server's text without secrets. User names are common words: they are secret here only. */
  #shown(value: unknown, most: number): string {
    const text = typeof value === "string" ? value : inJson(value);
    const start = this.secrets.redactStart(text, READ_FACTOR * most);
    return shortened(printable(this.#userNames.redact(start)), most);
  }

  #summary(came: string): string {
    const end = /[.!?…]$/.test(came) ? "" : ".";
    const attempt = this.#userNames.redact(this.secrets.redact(this.call.attempt));
    return `${attempt} failed: ${came}${end}`;
  }
}

/** The envelope of an error. Another text is the server's words. */
const envelopeOfError = (text: string): Envelope =>
  text.length > MAX_DECODED
    ? { error: "more than 1 MiB, which the error leaves out" }
    : (envelopeOf(text) ?? { error: text });

const inBrackets = (requestId: string | undefined): string =>
  requestId === undefined ? "" : ` (request ${requestId})`;

/** Whether only the API sends a header of this name with a 429. */
const isOfRateLimit = (name: string): boolean => /^(?:retry-after|(?:x-)?ratelimit(?:-|$))/i.test(name);
