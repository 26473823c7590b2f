import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, {
  isAxiosError,
  type AxiosError,
  type AxiosInstance,
  type AxiosRequestConfig,
  type AxiosResponse,
} from "axios";
import { warnOfInsecure } from "../../settings/config";
import type { RateLimit } from "../../settings/settings";
import { beforeDeadline, notSent } from "./deadline";
import { parseEnvelope } from "./envelope";
import { isCancelled, type Clock } from "./clock";
import { limiterFor, type Finish, type Limiter } from "./rate-limiter";
import { isLoopback } from "../../settings/loopback";
import type { Operation } from "../document/operations";
import { quotaOf } from "./quota";
import type { Secrets } from "../secrets/redaction";
import { requestOf, RequestErrors } from "./request-errors";
import { isTooLarge, retryAfter, statusOf, withRetries } from "./retry";

/** An answer as the server sent it; when the request was sent and the answer received, on our clock. */
export interface Answer {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly text: string;
}

/** Where the API is and how to speak to it. */
export interface TransportOptions {
  readonly baseUrl: string;
  /** Whether plain http may leave this machine; warned of. */
  readonly allowInsecure?: boolean;
  readonly apiKeyId: string;
  readonly apiKeySecret: string;
  readonly rateLimit: RateLimit | "off";
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  /** How long the service may refuse every request with 429. */
  readonly rateLimitTimeoutSeconds: number;
  readonly userAgent: string;
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly clock?: Clock;
  readonly answered?: (answer: Answer) => void;
  /** Makes each text of an answer safe to print. Default: without characters that control a terminal. */
  readonly clean?: (text: string) => string;
  /** Secrets of other requests, which a server may repeat in any answer. Default: none. */
  readonly secrets?: Secrets;
}

/** The largest answer that the provider reads, in bytes. A list of 10,000 full pipes has about 20 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** The longest time that a timer can hold, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const NO_KEEP_ALIVE = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export interface SendOptions {
  /** Called before each attempt. */
  readonly sent?: (() => void) | undefined;
  /** How often the request is repeated at most; a 429 does not count. Default: the setting. */
  readonly maxRetries?: number;
}

interface RequestAttempts {
  /** Called before each attempt. */
  readonly sent: () => void;
  /** How long they have taken, without waiting for the rate limiter, in milliseconds. */
  milliseconds: number;
  /** Whether the last one ran into its timeout. */
  timedOut: boolean;
  /** Whether one of them had no answer of the API, which may have carried it out. */
  mayBeDone: boolean;
  failure?: AxiosError;
}

/** Sends requests and returns the `result` of the envelope. Throws the errors of this package only. */
export class Transport {
  readonly #http: AxiosInstance;
  readonly #errors: RequestErrors;
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  readonly #rateLimitTimeoutMs: number;
  #serverTime: { readonly shown: number; readonly at: number } | undefined;

  constructor(
    private readonly options: TransportOptions & Required<Pick<TransportOptions, "clock" | "secrets">>,
  ) {
    const { apiKeyId, apiKeySecret, clock, secrets } = options;
    this.#clock = clock;
    this.#rateLimitTimeoutMs = 1000 * options.rateLimitTimeoutSeconds;
    this.#limiter = limiterFor(`${options.baseUrl} ${apiKeyId}`, options.rateLimit, clock);
    secrets.add(`${apiKeyId}:${apiKeySecret}`, apiKeySecret);
    this.#errors = new RequestErrors(secrets, options.requestTimeoutSeconds, this.#limiter.shared);
    this.#http = axios.create({
      baseURL: options.baseUrl,
      auth: { username: apiKeyId, password: apiKeySecret },
      headers: { Accept: "application/json", "User-Agent": options.userAgent },
      // A redirect could send the credential to another host.
      maxRedirects: 0,
      // No proxy for this machine: see `isLoopback`.
      ...(isLoopback(options.baseUrl) && { proxy: false }),
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: isSuccess,
    });
    warnOfInsecure(options, options.warn);
  }

  /** The server's time by the `Date` header of its last answer, which has whole seconds. */
  serverNow(): number | undefined {
    return this.#serverTime && this.#serverTime.shown + this.#clock.now() - this.#serverTime.at;
  }

  /** One attempt, after waiting for the rate limiter, with its own timeout. */
  async #attempt(
    operation: Operation,
    config: AxiosRequestConfig,
    attempts: RequestAttempts,
  ): Promise<AxiosResponse<string>> {
    const finish = await this.#start(operation).catch((error: unknown) => {
      // The request was sent: its failure says more than that it is not sent again.
      throw attempts.failure ?? error;
    });
    const start = this.#clock.now();
    attempts.sent();
    // The timeout of axios does not end a connection over which an answer arrives slowly.
    const signal = AbortSignal.timeout(Math.min(MAX_TIMER_MS, this.options.requestTimeoutSeconds * 1000));
    try {
      const response = await this.#http.request<string>({ ...config, signal });
      this.#report(start, response);
      this.#limiter.shared.serves(quotaOf(response.headers));
      return response;
    } catch (error) {
      if (!isAxiosError(error)) throw error;
      this.#report(start, error.response);
      this.#noteAnswer(start, error);
      throw (attempts.failure = error);
    } finally {
      finish();
      attempts.milliseconds += this.#clock.now() - start;
      attempts.timedOut = signal.aborted;
    }
  }

  /** Waits for the rate limiter. Other calls may share a read, so the deadline of a call ends writes only. */
  async #start(operation: Operation): Promise<Finish> {
    const turn = this.#limiter.start(this.options.log);
    const started = await (operation.method === "GET"
      ? turn.then((value) => ({ value }))
      : beforeDeadline(this.#clock, turn));
    if (started === undefined) {
      void turn.then((finish) => {
        finish();
      });
      throw notSent(this.#clock, "custom-timeout", operation.attempt, requestOf(operation));
    }
    const { value: finish } = started;
    if (!isCancelled(this.#clock)) return finish;
    finish();
    throw notSent(this.#clock, "cancelled", operation.attempt, requestOf(operation));
  }

  /** The delay that the server asks for holds for all requests of this key. */
  #noteAnswer(startedAt: number, error: AxiosError): void {
    const { shared } = this.#limiter;
    if (statusOf(error) === 429) {
      const asked = retryAfter(error) ?? 0;
      // The request whose answer asks for more fails, and so may the others.
      shared.refuses(startedAt, asked > this.#rateLimitTimeoutMs ? 0 : asked, this.#rateLimitTimeoutMs);
    } else if (error.response !== undefined) shared.serves(quotaOf(error.response.headers));
  }

  #report(sentAt: number, response: AxiosResponse | undefined): void {
    if (response === undefined) return;
    const headers: Readonly<Record<string, unknown>> = response.headers;
    const answeredAt = this.#clock.now();
    const { date, age } = headers;
    // An answer with an age comes from a cache, and so does its date.
    const shown = typeof date === "string" && age === undefined ? Date.parse(date) : NaN;
    if (!Number.isNaN(shown)) this.#serverTime = { shown, at: answeredAt };
    const text = typeof response.data === "string" ? response.data : "";
    this.options.answered?.({ sentAt, answeredAt, headers, status: response.status, text });
  }

  /** Returns the `result` of the answer. */
  async send(operation: Operation, options: SendOptions = {}): Promise<unknown> {
    const response = await this.#request(operation, options);
    const envelope = parseEnvelope(response.data, this.options.clean);
    if (envelope === undefined) {
      // The API document has no DELETE. The usual answer to it is empty.
      if (operation.method === "DELETE" && response.data === "") return undefined;
      throw this.#errors.notTheEnvelope(operation, response);
    }
    const { requestId, status = response.status, result } = envelope;
    if (!isSuccess(status)) throw this.#errors.refused(operation, status, response);
    if (result === undefined && operation.method !== "DELETE") {
      throw this.#errors.invalid(
        operation,
        { status: response.status },
        "the response has no result",
        requestId,
      );
    }
    return result;
  }

  async #request(
    operation: Operation,
    { sent = () => undefined, maxRetries = this.options.maxRetries }: SendOptions,
  ): Promise<AxiosResponse<string>> {
    const attempts: RequestAttempts = { sent, milliseconds: 0, timedOut: false, mayBeDone: false };
    const config: AxiosRequestConfig = {
      method: operation.method,
      url: operation.path,
      ...(operation.body !== undefined && {
        data: JSON.stringify(operation.body),
        headers: { "Content-Type": "application/json" },
      }),
      // A server may close a kept connection at any moment. It is then unknown whether it has received the request.
      ...(operation.kind !== "idempotent" && NO_KEEP_ALIVE),
    };
    const context = {
      operation,
      log: this.options.log,
      clock: this.#clock,
      attemptsMs: () => attempts.milliseconds,
      maxRetries,
      rateLimitTimeoutMs: this.#rateLimitTimeoutMs,
      pause: (delay: number, refusal: string) => this.#limiter.pause(delay, refusal, this.options.log),
      repeats: () => (attempts.mayBeDone = true),
      shared: this.#limiter.shared,
    };
    try {
      return await withRetries(context, () => this.#attempt(operation, config, attempts));
    } catch (error) {
      if (!isAxiosError<string>(error)) throw error;
      const { response } = error;
      if (response !== undefined && statusOf(error) !== undefined)
        throw this.#errors.refused(operation, response.status, response, attempts.mayBeDone);
      if (isTooLarge(error)) throw this.#errors.tooLarge(operation, MAX_ANSWER_BYTES);
      const code = attempts.timedOut ? "ERR_CANCELED" : (error.code ?? "");
      throw this.#errors.unanswered(operation, code, error.message);
    }
  }
}
