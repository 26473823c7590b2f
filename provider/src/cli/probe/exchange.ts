import { parseEnvelope } from "../../api/http/envelope";
import type { Answer } from "../../api/http/transport";
import { isDatapipesError, type DatapipesError } from "../../messages/errors";

/** An answer, and when it came by the clock of this machine. */
export interface RecordedAnswer extends Answer {
  readonly receivedAt: number;
}

/** The requests of one operation, and what came of them. */
export interface Exchange<T = unknown> {
  readonly value?: T;
  readonly error?: DatapipesError;
  /** Several if the client sent the request again. */
  readonly answers: readonly RecordedAnswer[];
}

/** Records the answers of a client. */
export class Recorder {
  readonly answers: RecordedAnswer[] = [];

  readonly add = (answer: Answer): void => {
    this.answers.push({ ...answer, receivedAt: Date.now() });
  };

  /** Does work that sends requests. Throws only if the user has cancelled. */
  async record<T>(work: () => Promise<T>): Promise<Exchange<T>> {
    const from = this.answers.length;
    try {
      return { value: await work(), answers: this.answers.slice(from) };
    } catch (error) {
      if (!isDatapipesError(error) || error.answer.connection === "cancelled") throw error;
      return { error, answers: this.answers.slice(from) };
    }
  }
}

/** The envelope of the last answer, with members that the API document does not have. */
export const envelopeOf = ({ answers }: Pick<Exchange, "answers">) =>
  parseEnvelope(answers.at(-1)?.text ?? "");

/** The status of the last answer; 0 if there was none. */
export const statusOf = ({ answers }: Pick<Exchange, "answers">): number => answers.at(-1)?.status ?? 0;

/** The same in words. */
export const statusWords = (exchange: Pick<Exchange, "answers">): string =>
  exchange.answers.length === 0 ? "no answer" : `status ${statusOf(exchange)}`;

export const isSuccess = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300;
