import type { Reply } from "./reply";

/** What the server answered, until it has to make room. */
export type LoggedAnswer = Reply;

/** A list of 2,000 pipes has a megabyte: answers are kept for the requests that a page shows, and for no others. */
export class AnswerLog {
  private readonly answers = new Map<number, LoggedAnswer>();

  constructor(private readonly kept: number) {}

  add(sequence: number, answer: LoggedAnswer): void {
    this.answers.set(sequence, answer);
    const oldest = this.answers.keys().next().value;
    if (this.answers.size > this.kept && oldest !== undefined) this.answers.delete(oldest);
  }

  /** The answer; undefined while the request waits for it. */
  of(sequence: number): LoggedAnswer | undefined {
    return this.answers.get(sequence);
  }
}
