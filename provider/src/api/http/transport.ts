import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, { isAxiosError, type AxiosError, type AxiosInstance, type AxiosRequestConfig } from "axios";
import { isDatapipesError } from "../../messages/errors";
import { isLoopback } from "../../settings/loopback";
import type { ServiceScope, SettingValues } from "../../settings/settings";
import type { Call } from "../operations";
import { readAnswer, type Answer, type Cleaning } from "../safe";
import type { Secrets } from "../secrets/redaction";
import { beforeDeadline, notSent, type Clock } from "./clock";
import { Limiter, type Finish } from "./rate-limiter";
import { RequestErrors } from "./request-errors";
import { retryAfterMs } from "./retry-after";
import { send, type Attempt } from "./send";

/** Where the API is and how to speak to it. */
export interface TransportOptions
  extends Required<Omit<SettingValues, keyof ServiceScope | "allowInsecure">>, Cleaning {
  readonly userAgent: string;
  readonly clock: Clock;
  /** Secrets of other requests, which a server may repeat in any answer. */
  readonly secrets: Secrets;
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly answered?: (answer: Answer) => void;
}

/** The largest answer that the provider reads. A list of 10,000 full pipes has about 20 MB. */
const MAX_ANSWER_MIB = 256;

const NO_KEEP_ALIVE = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

/** Sends requests, and reads their answers. Throws the errors of this package only. */
export class Transport {
  readonly #http: AxiosInstance;
  readonly #limiter: Limiter;
  /** How far the time of the server is ahead of the clock. */
  #serverAhead: number | undefined;

  constructor(private readonly options: TransportOptions) {
    const { baseUrl, apiKeyId, apiKeySecret, clock, rateLimit, secrets, userAgent } = options;
    this.#limiter = new Limiter(rateLimit, clock);
    secrets.add(`${apiKeyId}:${apiKeySecret}`, apiKeySecret);
    this.#http = axios.create({
      baseURL: baseUrl,
      auth: { username: apiKeyId, password: apiKeySecret },
      headers: { Accept: "application/json", "User-Agent": userAgent },
      // A redirect could send the credential to another host.
      maxRedirects: 0,
      // No proxy for this machine: see `isLoopback`.
      ...(isLoopback(baseUrl) && { proxy: false }),
      maxContentLength: MAX_ANSWER_MIB * 1024 * 1024,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: () => true,
    });
  }

  /** The server's time by the `Date` header of its last answer, which has whole seconds. */
  serverNow(): number | undefined {
    return this.#serverAhead === undefined ? undefined : this.options.clock.now() + this.#serverAhead;
  }

  /** Returns the result of the answer, as the schema of the operation reads it. */
  send(call: Call): Promise<unknown> {
    const errors = new RequestErrors(call, this.options.secrets);
    const context = { ...this.options, refusedForMs: () => this.#limiter.refusedForMs() };
    return send(call, context, () => this.#attempt(call, errors));
  }

  /** One attempt, after waiting for the rate limiter, with its own timeout. */
  async #attempt(call: Call, errors: RequestErrors): Promise<Attempt> {
    const finish = await this.#start(call);
    call.options.sent?.();
    // The timeout of axios does not end a connection over which an answer arrives slowly.
    const signal = AbortSignal.timeout(this.options.requestTimeoutSeconds * 1000);
    const answer = await this.#exchange(call, signal).catch((error: unknown) => {
      finish("lost");
      if (isAxiosError(error)) return this.#unanswered(errors, error, signal.aborted);
      throw error;
    });
    if (isDatapipesError(answer)) return { error: answer, askedMs: 0 };
    const askedMs = retryAfterMs(answer.status, answer.headers);
    // A request whose answer asks for too long fails; the others need not wait for that.
    const isTooLong = askedMs >= 1000 * this.options.rateLimitTimeoutSeconds;
    const pause = finish(answer.status === 429 ? { askedMs: isTooLong ? 0 : askedMs } : "served");
    const read = readAnswer(call, answer, this.options);
    if ("result" in read) return read;
    const error =
      "problem" in read ? errors.unreadable(read.problem, answer) : errors.refused(read.refusedWith, answer);
    return { error, askedMs, pause };
  }

  /** Waits for the rate limiter. Other calls may share a read, so the deadline of a call ends writes only. */
  async #start({ operation, attempt, name }: Call): Promise<Finish> {
    const { clock } = this.options;
    const turn = this.#limiter.start();
    const started = operation.kind === "read" ? { value: await turn } : await beforeDeadline(clock, turn);
    if (started !== undefined && !clock.isCancelled()) return started.value;
    void turn.then((finish) => {
      finish("lost");
    });
    throw notSent(clock, attempt, name);
  }

  async #exchange(call: Call, signal: AbortSignal): Promise<Answer> {
    const { data, status, headers } = await this.#http.request<string>({ ...configOf(call), signal });
    const answer = { status, text: data, headers: headers as Answer["headers"] };
    const shown = Date.parse(answer.headers["date"] ?? "");
    if (!Number.isNaN(shown)) this.#serverAhead = shown - this.options.clock.now();
    this.options.answered?.(answer);
    return answer;
  }

  #unanswered(errors: RequestErrors, { code = "", message, response }: AxiosError, isLate: boolean) {
    if (!message.startsWith("maxContentLength"))
      return errors.unanswered(isLate ? "ERR_CANCELED" : code, message, this.options.requestTimeoutSeconds);
    const what = `the response has more than ${MAX_ANSWER_MIB} MiB, which is the provider's limit`;
    return errors.unreadable(what, { status: response?.status ?? 200, text: "", headers: {} });
  }
}

const configOf = ({ operation, path, body }: Call): AxiosRequestConfig => ({
  method: operation.method,
  url: path,
  ...(body !== undefined && { data: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  // A server may close a kept connection at any moment. It is then unknown whether it has received the request.
  ...(operation.kind === "create" && NO_KEEP_ALIVE),
});
