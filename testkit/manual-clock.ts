import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../provider/src/api/http/clock";

/** More sleeps than any test has: what sleeps for no time, again and again, ends in an error. */
const MAX_WAKES = 20_000;

const STEP_MS = 250;
/** How long a server has for each step, at least. */
const POLL_MS = 2;

/** A clock that a test advances; it wakes a sleeper when its time has come. */
export class ManualClock implements Clock {
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.#now + milliseconds, wake });
    });
  }

  /** Advances in small steps until the work has ended, which may also wait for a server. */
  async runDuring<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    work.then(end, end);
    while (!over.signal.aborted) {
      await this.run(this.#now + STEP_MS);
      await sleep(POLL_MS);
    }
    return work;
  }

  async run(end: number, maxWakes = MAX_WAKES): Promise<void> {
    for (let wakes = 0; ; wakes += 1) {
      if (wakes > maxWakes)
        throw new Error(`After ${wakes} sleeps it is ${this.#now} ms, and not ${end} ms.`);
      await settled();
      const next = Math.min(...this.#sleepers.map(({ at }) => at));
      if (next > end) break;
      this.#now = Math.max(this.#now, next);
      const due = this.#sleepers.filter(({ at }) => at <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
      for (const { wake } of due) wake();
    }
    this.#now = end;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
