import type { Clock } from "../provider/src/api/http/clock";

/** A clock that does not wait: a sleep advances it at once. */
export class InstantClock implements Clock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    return Promise.resolve();
  }
}
