/** The time that a limiter goes by: the real one, or one that a test moves. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Lets at most so many requests start in any rolling window, in the order in which they came. */
export class Limiter {
  readonly #starts: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #pausedUntil = 0;

  constructor(
    private readonly limit: { readonly requests: number; readonly seconds: number } | "off",
    private readonly clock: Clock = systemClock,
  ) {}

  /** Resolves when a request may start. */
  start(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#wait());
    return this.#turn;
  }

  /** Lets no request start for so many milliseconds: the server asked for it. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + milliseconds);
  }

  async #wait(): Promise<void> {
    for (let delay = this.#delay(); delay > 0; delay = this.#delay())
      await this.clock.sleep(Math.ceil(delay));
    if (this.limit !== "off") this.#starts.push(this.clock.now());
  }

  #delay(): number {
    const now = this.clock.now();
    const paused = this.#pausedUntil - now;
    if (this.limit === "off") return paused;
    const { requests, seconds } = this.limit;
    while (this.#starts.length >= requests + 1) this.#starts.shift();
    const oldest = this.#starts.at(-requests);
    // One millisecond more: a start at the very edge would still be inside the server's window.
    return Math.max(paused, oldest === undefined ? 0 : oldest + seconds * 1000 + 1 - now);
  }
}
