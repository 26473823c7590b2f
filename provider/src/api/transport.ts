import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, {
  isAxiosError,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from "axios";
import axiosRetry from "axios-retry";
import { warnOfInsecure, type RateLimit } from "../config";
import { ApiError, ConnectionError, InvalidResponseError, type ApiAnswer } from "../errors";
import { isHtml, parseEnvelope, parseProblem, readableId, type RedactStart } from "./envelope";
import { codeOf, connectionProblem, NEVER_ARRIVED, TIMEOUTS } from "./failure";
import { limiterFor, systemClock, type Clock, type Limiter } from "./rate-limiter";
import { isLoopback } from "./loopback";
import { requestLine, type Operation } from "./operations";
import { printable } from "../printable";
import { Secrets } from "./redaction";
import { isTooLarge, pauseAskedFor, retryConfig, statusOf } from "./retry";
import type { ServerClock } from "./server-clock";

/** Where the API is and how to speak to it. */
export interface TransportOptions {
  readonly baseUrl: string;
  /** Whether plain http may leave this machine: then the user is warned. */
  readonly allowInsecure?: boolean;
  readonly apiKeyId: string;
  readonly apiKeySecret: string;
  readonly rateLimit: RateLimit | "off";
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  readonly userAgent: string;
  /** Told what the user should know while waiting. Redacted. */
  readonly log: (line: string) => void;
  /** The same for what may do harm. */
  readonly warn: (line: string) => void;
  readonly clock?: Clock;
  /** Told the time of every answer. */
  readonly serverClock?: ServerClock;
  /** What else no error may show. A server may repeat it in the answer to a request that does not carry it. */
  readonly secrets?: Secrets;
}

/** The largest answer that is read, in bytes. A list of 10,000 full pipes has about 20 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** How much of a content type, and of the reason of a connection that failed, an error repeats, in characters. */
const MAX_TYPE = 100;
const MAX_REASON = 300;

/** The longest time that a timer can hold, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Agents whose connections serve one request. */
const ONE_REQUEST_EACH = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One request on its way, with all of its attempts. */
interface RequestAttempts {
  /** Called when an attempt goes out. */
  readonly sent: () => void;
  /** How long the attempts have taken, in milliseconds. */
  spent: number;
  /** Whether the last attempt took longer than it may. */
  tookTooLong: boolean;
}

/** Sends operations and gives back the `result` of the envelope. Throws this package's errors only. */
export class Transport {
  readonly #http: AxiosInstance;
  readonly #secrets: Secrets;
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  readonly #send = axios.getAdapter("http");

  constructor(private readonly options: TransportOptions) {
    const { apiKeyId, apiKeySecret, clock = systemClock } = options;
    this.#clock = clock;
    this.#limiter = limiterFor(`${options.baseUrl} ${apiKeyId}`, options.rateLimit, clock);
    this.#secrets = options.secrets ?? new Secrets();
    this.#secrets.add(`${apiKeyId}:${apiKeySecret}`, apiKeySecret);
    this.#http = axios.create({
      baseURL: options.baseUrl,
      auth: { username: apiKeyId, password: apiKeySecret },
      headers: { Accept: "application/json", "User-Agent": options.userAgent },
      // A redirect could carry the credential to another host.
      maxRedirects: 0,
      // A proxy of the environment is asked for other machines only.
      ...(isLoopback(options.baseUrl) && { proxy: false }),
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: isSuccess,
    });
    warnOfInsecure(options, options.warn);
    axiosRetry(this.#http, { retries: options.maxRetries, shouldResetTimeout: true });
  }

  /** One attempt: it waits for its turn and has a deadline of its own. */
  async #attempt(config: InternalAxiosRequestConfig, attempts: RequestAttempts): Promise<AxiosResponse> {
    const finish = await this.#limiter.start(this.options.log);
    const start = this.#clock.now();
    attempts.sent();
    // The timeout of the library ends a silent connection, but not one that sends an answer drop by drop.
    const signal = AbortSignal.timeout(Math.min(MAX_TIMER_MS, this.options.requestTimeoutSeconds * 1000));
    try {
      const response = await this.#send({ ...config, signal });
      this.#learnTime(start, response);
      return response;
    } catch (error) {
      if (!isAxiosError(error)) throw error;
      this.#learnTime(start, error.response);
      // All that share the limit are asked for patience, not this request alone.
      this.#limiter.pause(pauseAskedFor(error) ?? 0);
      // Without this attempt's deadline, which the next one does not inherit.
      throw Object.assign(error, { config });
    } finally {
      finish();
      attempts.spent += this.#clock.now() - start;
      attempts.tookTooLong = signal.aborted;
    }
  }

  #learnTime(sentAt: number, response: AxiosResponse | undefined): void {
    if (response === undefined) return;
    const headers: Readonly<Record<string, unknown>> = response.headers;
    this.options.serverClock?.learn({ sentAt, answeredAt: this.#clock.now(), headers });
  }

  /** The `result` of the operation's answer. `sent` is called whenever an attempt goes out. */
  async send(operation: Operation, sent: () => void = () => undefined): Promise<unknown> {
    const response = await this.#request(operation, sent);
    const envelope = parseEnvelope(response.data);
    if (envelope === undefined) {
      // The document describes no DELETE; an empty answer to it is usual.
      if (operation.method === "DELETE" && response.data === "") return undefined;
      throw this.#notTheEnvelope(operation, response);
    }
    const { requestId, status = response.status, result } = envelope;
    if (!isSuccess(status)) throw this.#refused(operation, status, response);
    if (result === undefined && operation.method !== "DELETE") {
      throw this.#invalid(operation, response.status, "the answer has no result", requestId);
    }
    return result;
  }

  async #request(operation: Operation, sent: () => void): Promise<AxiosResponse<string>> {
    const attempts: RequestAttempts = { sent, spent: 0, tookTooLong: false };
    const { log } = this.options;
    try {
      return await this.#http.request<string>({
        method: operation.method,
        url: operation.path,
        ...(operation.body !== undefined && {
          data: JSON.stringify(operation.body),
          headers: { "Content-Type": "application/json" },
        }),
        // A connection that is kept may be closed at this very moment, and then nobody knows what the server saw.
        ...(operation.repeatable !== "after-any-failure" && ONE_REQUEST_EACH),
        adapter: (config) => this.#attempt(config, attempts),
        "axios-retry": retryConfig({ operation, log, clock: this.#clock, spent: () => attempts.spent }),
      });
    } catch (error) {
      if (!isAxiosError<string>(error)) throw error;
      const { response } = error;
      if (response !== undefined && statusOf(error) !== undefined)
        throw this.#refused(operation, response.status, response);
      if (isTooLarge(error)) throw this.#tooLarge(operation);
      throw this.#unanswered(
        operation,
        attempts.tookTooLong ? "ERR_CANCELED" : (error.code ?? ""),
        error.message,
      );
    }
  }

  #refused(operation: Operation, status: number, { data, headers }: AxiosResponse<string>): ApiError {
    const redactStart = this.#redactStart(operation);
    const { words, requestId = requestIdOf(headers, redactStart) } = parseProblem(data, redactStart);
    const came = `answered ${status}${inBrackets(requestId)}${words === "" ? "" : `: ${words}`}`;
    const answer = { ...requestOf(operation), status, requestId, words, isPage: isHtml(data) };
    return new ApiError(codeOf(status), this.#summary(operation, came), {
      answer,
      reason: `status ${status}`,
    });
  }

  #notTheEnvelope(operation: Operation, response: AxiosResponse<string>): InvalidResponseError {
    const header = String(response.headers["content-type"] ?? "no content type");
    const type = printable(this.#redactStart(operation)(header, MAX_TYPE));
    const what = isHtml(response.data)
      ? "an HTML page"
      : `something that is not the API's envelope (${type})`;
    return this.#invalid(operation, response.status, `the answer is ${what}`);
  }

  #invalid(operation: Operation, status: number, what: string, id?: string): InvalidResponseError {
    const requestId = id === undefined ? undefined : readableId(id, this.#redactStart(operation));
    const came = `answered ${status}${inBrackets(requestId)}, but ${what}`;
    const answer = { status, requestId, operation: operation.name };
    return new InvalidResponseError(this.#summary(operation, came), answer);
  }

  #tooLarge(operation: Operation): InvalidResponseError {
    const came = `answered with more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB, which is not read`;
    return new InvalidResponseError(this.#summary(operation, came), { operation: operation.name });
  }

  #unanswered(operation: Operation, code: string, words: string): ConnectionError {
    const connection = connectionProblem(code);
    const tookTooLong = `no answer within ${this.options.requestTimeoutSeconds} s`;
    const [came, reason] =
      code === "ERR_CANCELED"
        ? [tookTooLong, tookTooLong]
        : // A certificate may say what it likes.
          [`no answer: ${printable(this.#redactStart(operation)(words, MAX_REASON))}`, `no answer (${code})`];
    return new ConnectionError(
      TIMEOUTS.has(connection) ? "timeout" : "connection",
      this.#summary(operation, `got ${came}`),
      { answer: { ...requestOf(operation), connection, arrived: !NEVER_ARRIVED.has(connection) }, reason },
    );
  }

  #summary(operation: Operation, came: string): string {
    const sentence = /[.!?…]$/.test(came) ? came : `${came}.`;
    return this.#redacted(operation, `${operation.attempt} failed: ${requestLine(operation)} ${sentence}`);
  }

  #redactStart({ body }: Operation): RedactStart {
    return (text, characters) => this.#secrets.redactStart(text, characters, body);
  }

  #redacted({ body }: Operation, text: string): string {
    return this.#secrets.redact(text, body);
  }
}

/** What an error says of the request that failed. */
const requestOf = ({ name, repeatable }: Operation): ApiAnswer => ({
  operation: name,
  repeatable: repeatable === "after-any-failure",
});

const inBrackets = (requestId: string | undefined): string =>
  requestId === undefined ? "" : ` (request ${requestId})`;

/** Where gateways write the id of a request that they answer themselves. */
function requestIdOf(headers: AxiosResponse["headers"], redactStart: RedactStart): string | undefined {
  const id: unknown = headers["x-request-id"];
  return typeof id === "string" && /^[\w.:/+=-]{1,100}$/.test(id) ? readableId(id, redactStart) : undefined;
}
