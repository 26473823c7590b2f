import type { Clock } from "../../provider/src/api/http/clock";

/** A clock that does not wait: a sleep advances it at once. */
export class InstantClock implements Clock {
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
