import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../provider/src/api/http/clock";
import { onEnd } from "./cleanup";

/** What the clock of a run says that is not canceled and has no deadline. */
class Unlimited {
  readonly isCancelled = (): boolean => false;
  readonly finish = <T>(work: () => Promise<T>): Promise<T> => work();
  readonly deadline = (): undefined => undefined;
}

/** A clock that does not wait: a sleep advances it at once. */
export class InstantClock extends Unlimited implements Clock {
  #now = 0;
  /** How long it slept, in ms, each time. */
  readonly slept: number[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    this.slept.push(milliseconds);
    this.#now += milliseconds;
    return Promise.resolve();
  }
}

/** More sleeps than any test has: what sleeps for no time, again and again, ends in an error. */
const MAX_WAKES = 20_000;

/**
 * After so many turns of the event loop without a request, all work of this process waits for the clock. That is a guess:
 * Node.js does not tell whether promises, streams and its thread pool still handle an answer that has arrived.
 */
const IDLE_TURNS = 20;

/** The requests of this process that have no answer yet. */
let requests = 0;

const countRequest = (message: unknown): void => {
  requests += 1;
  (message as { request: ClientRequest }).request.once("close", () => (requests -= 1));
};
subscribe("http.client.request.start", countRequest);
onEnd(() => {
  unsubscribe("http.client.request.start", countRequest);
});

/** A clock that a test advances; it wakes a sleeper when its time has come. */
export class ManualClock extends Unlimited implements Clock {
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

  /** Advances at once. A sleeper whose time has come wakes with the next `run` or `runDuring`. */
  skip(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Advances from sleep to sleep until the work has ended. */
  async runDuring<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    work.then(end, end);
    await this.runWhile(() => !over.signal.aborted);
    return work;
  }

  /** Advances from sleep to sleep while a condition is true. No time passes while a request has no answer. */
  async runWhile(isSo: () => boolean): Promise<void> {
    for (let idleTurns = 0; isSo(); idleTurns += 1) {
      await nextTurn();
      if (requests > 0) idleTurns = 0;
      if (idleTurns >= IDLE_TURNS) {
        idleTurns = 0;
        if (this.#sleepers.length > 0) this.#now = Math.max(this.#now, this.#next());
      }
      this.#wakeDue();
    }
  }

  async run(end: number): Promise<void> {
    for (let wakes = 0; ; wakes += 1) {
      if (wakes > MAX_WAKES)
        throw new Error(`After ${wakes} sleeps it is ${this.#now} ms, and not ${end} ms.`);
      await nextTurn();
      const next = this.#next();
      if (next > end) break;
      this.#now = Math.max(this.#now, next);
      this.#wakeDue();
    }
    this.#now = end;
  }

  #next(): number {
    return Math.min(...this.#sleepers.map(({ at }) => at));
  }

  #wakeDue(): void {
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
  }
}
