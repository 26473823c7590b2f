import { isCancelled, type Clock } from "./http/clock";
import { LIST_READS } from "./http/repetition";

/** When a read is wanted, in milliseconds from now. */
export interface Wanted {
  readonly delay: number;
  /** A read for another caller that is sent so early will do, too. */
  readonly earliest: number;
}

const AT_ONCE: Wanted = { delay: 0, earliest: 0 };

interface Waiting<T> {
  readonly from: number;
  readonly answer: (reading: Promise<T>) => void;
}

/**
 * Reads of one thing that changes. A request answers all that wait for one when it is sent, and none that came later: it may be older than the
 * write that a caller wants to know the effect of.
 */
export class SharedReads<T> {
  readonly #waiting = new Set<Waiting<T>>();
  #turn: Promise<void> = Promise.resolve();
  #sentAt = -Infinity;

  /** `read` calls `sent` before each attempt. */
  constructor(
    private readonly clock: Clock,
    private readonly read: (sent: () => void) => Promise<T>,
  ) {}

  /** What a request returns that is sent after this call. */
  take({ delay, earliest }: Wanted = AT_ONCE): Promise<T> {
    const now = this.clock.now();
    return new Promise((resolve) => {
      const waiting = { from: now + earliest, answer: resolve };
      this.#waiting.add(waiting);
      void this.#wait(waiting, now + delay).then(() => {
        this.#turn = this.#turn.then(() => this.#send(waiting));
      });
    });
  }

  /** In short sleeps, so that none goes on for long when the request of another caller has answered this one. */
  async #wait(waiting: Waiting<T>, due: number): Promise<void> {
    for (let left = due - this.clock.now(); left > 0; left = due - this.clock.now()) {
      if (!this.#waiting.has(waiting) || isCancelled(this.clock)) return;
      await this.clock.sleep(Math.min(left, LIST_READS.spacingMs));
    }
  }

  /** Sends a request, unless that of another caller has answered this one. */
  async #send(waiting: Waiting<T>): Promise<void> {
    const pause = this.#sentAt + LIST_READS.spacingMs - this.clock.now();
    if (pause > 0 && this.#waiting.has(waiting)) await this.clock.sleep(pause);
    if (!this.#waiting.has(waiting)) return;
    const reading = this.read(() => {
      this.#sentAt = this.clock.now();
      for (const one of this.#waiting) {
        if (one.from > this.#sentAt) continue;
        this.#waiting.delete(one);
        one.answer(reading);
      }
    });
    await reading.catch(() => undefined);
    // A request that was never sent answers only its own caller.
    if (this.#waiting.delete(waiting)) waiting.answer(reading);
  }
}
