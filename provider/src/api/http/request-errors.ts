import type { AxiosResponse } from "axios";
import { ApiError, ConnectionError, InvalidResponseError, type ApiAnswer } from "../../messages/errors";
import { printable } from "../../messages/printable";
import { isHtml, parseProblem, readableId, type StartOf } from "./envelope";
import { codeOf, connectionProblem, isTimeout, NOT_RECEIVED } from "./error-codes";
import { requestLine, type Operation } from "../document/operations";
import { LEFT_OUT, userNamesOf, type Secrets } from "../secrets/redaction";
import { isRateLimit, pauseOf } from "./retry";
import type { SharedRate } from "./shared-rate";

/** How many characters of a content type, and of the reason of a failed connection, an error repeats. */
const MAX_TYPE = 100;
const MAX_REASON = 300;
/** A longer pause is said. */
const MIN_SAID_PAUSE_MS = 60_000;

/** What an earlier attempt may have done that had no answer. */
const MAY_BE_DONE: Readonly<Partial<Record<Operation["method"], string>>> = {
  DELETE: "; an earlier attempt without an answer may have deleted it: check that in the service's console",
  PATCH: "; an earlier attempt without an answer may have been carried out",
};

/** The errors of requests, without the secrets that a server repeats. */
export class RequestErrors {
  constructor(
    private readonly secrets: Secrets,
    private readonly requestTimeoutSeconds: number,
    private readonly shared: Pick<SharedRate, "served" | "refused" | "unservedFor">,
  ) {}

  /** The error of a refusal. `mayBeDone`: an earlier attempt has had no answer of the API. */
  refused(
    operation: Operation,
    status: number,
    { data, headers }: AxiosResponse<string>,
    mayBeDone = false,
  ): ApiError {
    const startOf = this.#startOf(operation);
    const { words, shown, requestId = requestIdOf(headers, startOf) } = parseProblem(data, startOf);
    const counts = status === 429 ? this.#countsOfRun(headers) : "";
    const lost = mayBeDone && status < 500 ? (MAY_BE_DONE[operation.method] ?? "") : "";
    const came = `returned ${status}${inBrackets(requestId)}${shown === "" ? "" : `: ${shown}`}${counts}${lost}`;
    const from = { isPage: isHtml(data), ...(isRateLimit(status, data, headers) && { isRateLimit: true }) };
    const answer = { ...requestOf(operation), status, requestId, words, ...from };
    return new ApiError(codeOf(status), this.#summary(operation, came), {
      answer,
      reason: `status ${status}`,
      // No operation reads the settings of a service.
      finding: lost !== "" && operation.name === "updatePipe" ? "may-be-updated" : undefined,
    });
  }

  notTheEnvelope(operation: Operation, response: AxiosResponse<string>): InvalidResponseError {
    const header = String(response.headers["content-type"] ?? "no content type");
    const type = printable(this.#startOf(operation)(header, MAX_TYPE) ?? LEFT_OUT);
    const isPage = isHtml(response.data);
    const what = isPage ? "an HTML page" : `not the API's envelope (${type})`;
    return this.invalid(operation, { status: response.status, isPage }, `the response is ${what}`);
  }

  invalid(
    operation: Operation,
    received: Pick<ApiAnswer, "status" | "isPage">,
    what: string,
    id?: string,
  ): InvalidResponseError {
    const requestId = id === undefined ? undefined : readableId(id, this.#startOf(operation));
    const came = `returned ${received.status ?? ""}${inBrackets(requestId)}, but ${what}`;
    const answer = { ...received, requestId, operation: operation.name };
    return new InvalidResponseError(this.#summary(operation, came), answer);
  }

  unanswered(operation: Operation, code: string, words: string): ConnectionError {
    const connection = connectionProblem(code);
    const late = code === "ERR_CANCELED" ? `no response within ${this.requestTimeoutSeconds} s` : undefined;
    // The message of a TLS error may quote the server's certificate.
    const came = late ?? `no response: ${printable(this.#startOf(operation)(words, MAX_REASON) ?? LEFT_OUT)}`;
    const reason = late ?? `no response (${code})`;
    return new ConnectionError(
      isTimeout(connection) ? "timeout" : "connection",
      this.#summary(operation, `got ${came}`),
      { answer: { ...requestOf(operation), connection, arrived: !NOT_RECEIVED.has(connection) }, reason },
    );
  }

  /** What the service did with the requests of this run, and when to come back. */
  #countsOfRun(headers: AxiosResponse["headers"]): string {
    const { served, refused, unservedFor } = this.shared;
    const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`;
    const pause = pauseOf(429, headers) ?? 0;
    const ends = pause > MIN_SAID_PAUSE_MS ? `; it may serve the next one in ${seconds(pause)}` : "";
    if (refused <= 1) return ends === "" ? "" : ` (${ends.slice(2)})`;
    return ` (${refused} requests refused in ${seconds(unservedFor)}, ${served} served${ends})`;
  }

  #summary(operation: Operation, came: string): string {
    const sentence = /[.!?…]$/.test(came) ? came : `${came}.`;
    const text = `${operation.attempt} failed: ${requestLine(operation)} ${sentence}`;
    return userNamesOf(operation.body).redact(this.#secretsWith(operation).redact(text));
  }

  /** User names are common words, so no text of a server is left out because of them. */
  #startOf(operation: Operation): StartOf {
    const [secrets, userNames] = [this.#secretsWith(operation), userNamesOf(operation.body)];
    return (text, characters) => {
      const start = secrets.startOf(text, characters);
      return start === undefined ? undefined : userNames.redact(start);
    };
  }

  #secretsWith({ body }: Operation): Secrets {
    this.secrets.addFrom(body);
    return this.secrets;
  }

  tooLarge(operation: Operation, most: number): InvalidResponseError {
    const came = `returned more than ${most / 1024 / 1024} MiB, which the provider does not read`;
    return new InvalidResponseError(this.#summary(operation, came), { operation: operation.name });
  }
}

export const requestOf = ({ name, kind }: Operation): ApiAnswer => ({
  operation: name,
  repeatable: kind === "idempotent",
});

const inBrackets = (requestId: string | undefined): string =>
  requestId === undefined ? "" : ` (request ${requestId})`;

/** Gateways that answer themselves give the request's id in a header. */
function requestIdOf(headers: AxiosResponse["headers"], startOf: StartOf): string | undefined {
  const id: unknown = headers["x-request-id"];
  return typeof id === "string" && /^[\w.:/+=-]{1,100}$/.test(id) ? readableId(id, startOf) : undefined;
}
