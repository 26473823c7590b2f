import axios, { isAxiosError, type AxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import { ApiError, ConnectionError, InvalidResponseError } from "../errors";
import { isHtml, parseEnvelope, parseProblem } from "./envelope";
import { connectionHint, meaningOf } from "./hint";
import { Limiter, systemClock, type Clock, type Finish } from "./limiter";
import type { Operation } from "./operations";
import { redact, secretsIn } from "./redact";
import { addRetries, NEVER_ARRIVED } from "./retry";

/** Where the API is and how to speak to it. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKeyId: string;
  readonly apiKeySecret: string;
  readonly rateLimit: { readonly requests: number; readonly seconds: number } | "off";
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  readonly userAgent: string;
  /** Told what the user should know while waiting. Redacted. */
  readonly inform: (line: string) => void;
  readonly clock?: Clock;
}

/** The largest answer that is read, in bytes. A list of 10,000 full pipes has about 20 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** How the library calls an attempt that took too long. */
const TIMEOUTS: ReadonlySet<string> = new Set(["ECONNABORTED", "ETIMEDOUT", "ERR_CANCELED"]);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends operations and gives back the `result` of the envelope. Throws this package's errors only. */
export class Transport {
  readonly #http: AxiosInstance;
  readonly #secrets: readonly string[];

  constructor(options: TransportOptions) {
    const { apiKeyId, apiKeySecret, rateLimit, clock = systemClock } = options;
    const credential = `${apiKeyId}:${apiKeySecret}`;
    this.#secrets = [credential, apiKeySecret];
    this.#http = axios.create({
      baseURL: options.baseUrl,
      timeout: options.requestTimeoutSeconds * 1000,
      auth: { username: apiKeyId, password: apiKeySecret },
      headers: { Accept: "application/json", "User-Agent": options.userAgent },
      // A redirect could carry the credential to another host.
      maxRedirects: 0,
      maxContentLength: MAX_ANSWER_BYTES,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: isSuccess,
    });
    this.#limit(new Limiter(rateLimit, clock, options.inform), options);
  }

  /** Every attempt of a request, the repeated ones too, waits for its turn and has a deadline of its own. */
  #limit(limiter: Limiter, { requestTimeoutSeconds, maxRetries, inform }: TransportOptions): void {
    const finishes = new WeakMap<object, Finish>();
    const finish = (config: object | undefined): void => {
      if (config !== undefined) finishes.get(config)?.();
    };
    this.#http.interceptors.request.use(async (request) => {
      finishes.set(request, await limiter.start());
      // The timeout of the library ends a silent connection, but not one that sends an answer drop by drop.
      request.signal = AbortSignal.timeout(requestTimeoutSeconds * 1000);
      return request;
    });
    this.#http.interceptors.response.use(
      (response) => {
        finish(response.config);
        return response;
      },
      (error: AxiosError) => {
        finish(error.config);
        return Promise.reject(error);
      },
    );
    addRetries(this.#http, maxRetries, inform, (milliseconds) => {
      limiter.pause(milliseconds);
    });
  }

  /** The `result` of the operation's answer. */
  async send(operation: Operation): Promise<unknown> {
    const response = await this.#request(operation);
    const envelope = parseEnvelope(response.data);
    if (envelope === undefined) {
      // The document describes no DELETE; an empty answer to it is usual.
      if (operation.method === "DELETE" && response.data === "") return undefined;
      throw this.#notTheEnvelope(operation, response);
    }
    const { requestId, status = response.status, result } = envelope;
    if (!isSuccess(status)) throw this.#refused(operation, status, response.data);
    if (result === undefined && operation.method !== "DELETE") {
      throw this.#invalid(operation, response.status, "the answer has no result", requestId);
    }
    return result;
  }

  async #request(operation: Operation): Promise<AxiosResponse<string>> {
    try {
      return await this.#http.request<string>({
        method: operation.method,
        url: operation.path,
        ...(operation.body !== undefined && {
          data: JSON.stringify(operation.body),
          headers: { "Content-Type": "application/json" },
        }),
      });
    } catch (error) {
      if (!isAxiosError(error)) throw error;
      const response = error.response as AxiosResponse<string> | undefined;
      throw response === undefined
        ? this.#unanswered(operation, error.code ?? "", error.message)
        : this.#refused(operation, response.status, response.data);
    }
  }

  #refused(operation: Operation, status: number, text: string): ApiError {
    const { words, requestId } = parseProblem(text, (said) => this.#redacted(operation, said));
    const { code, hint } = meaningOf(status);
    const came = `answered ${status}${requestId === undefined ? "" : ` (request ${requestId})`}${words === "" ? "" : `: ${words}`}`;
    return new ApiError(code, this.#message(operation, came, hint), {
      status,
      requestId,
      operation: operation.name,
    });
  }

  #notTheEnvelope(operation: Operation, response: AxiosResponse<string>): InvalidResponseError {
    const type = String(response.headers["content-type"] ?? "no content type");
    const what = isHtml(response.data)
      ? "an HTML page"
      : `something that is not the API's envelope (${type})`;
    return this.#invalid(operation, response.status, `the answer is ${what}`);
  }

  #invalid(operation: Operation, status: number, what: string, requestId?: string): InvalidResponseError {
    const came = `answered ${status}${requestId === undefined ? "" : ` (request ${requestId})`}, but ${what}`;
    const hint = "Check that datapipes:baseUrl is the address of the API itself, without /v1.";
    const answer = { status, requestId, operation: operation.name };
    return new InvalidResponseError("invalid-response", this.#message(operation, came, hint), answer);
  }

  #unanswered(operation: Operation, code: string, words: string): ConnectionError {
    const timeout = TIMEOUTS.has(code);
    const text = this.#message(operation, `got no answer: ${words}`, connectionHint(code));
    const answer = { operation: operation.name, arrived: !NEVER_ARRIVED.has(code) };
    return new ConnectionError(timeout ? "timeout" : "connection", text, answer);
  }

  #message(operation: Operation, came: string, hint: string): string {
    const { attempt, method, path } = operation;
    const text = `${attempt} failed: ${method} ${path} ${came}. ${hint}`;
    return this.#redacted(operation, text.replace(/([.!?])\. /g, "$1 "));
  }

  #redacted({ body }: Operation, text: string): string {
    return redact(text, [...this.#secrets, ...secretsIn(body)]);
  }
}
