import type { Clock } from "../../provider/src/api/limiter";

/** A clock on which waiting takes no time: who sleeps moves it forward. */
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
