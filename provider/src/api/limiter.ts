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

/** Tells the limiter that a request is over. */
export type Finish = () => void;

/** After how long a wait is worth a line, in milliseconds. */
const LONG_WAIT_MS = 5_000;

/**
 * Lets at most so many requests into any rolling window, in the order in which they came. A request counts until a
 * window after its end: the server counts when it arrives, which is some time between its start and its end.
 */
export class Limiter {
  #underWay = 0;
  /** When the last requests ended, the oldest first. */
  readonly #ends: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #pausedUntil = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly limit: { readonly requests: number; readonly seconds: number } | "off",
    private readonly clock: Clock = systemClock,
    private readonly inform: (line: string) => void = () => undefined,
  ) {}

  /** Resolves when a request may start, with what is to be called when it is over. */
  async start(): Promise<Finish> {
    this.#turn = this.#turn.then(() => this.#wait());
    await this.#turn;
    return () => {
      this.#underWay -= 1;
      this.#ends.push(this.clock.now());
      this.#wake();
    };
  }

  /** Lets no request start for so many milliseconds: the server asked for it. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + milliseconds);
  }

  async #wait(): Promise<void> {
    for (let delay = this.#delay(); delay > 0; delay = this.#delay()) {
      if (delay === Infinity) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      if (delay > LONG_WAIT_MS) {
        this.inform(
          `waiting ${Math.ceil(delay / 1000)} s before the next request (rate limit of the API, datapipes:rateLimit)`,
        );
      }
      await this.clock.sleep(Math.ceil(delay));
    }
    this.#underWay += 1;
  }

  /** How long until another request may start; infinite when one under way must end first. */
  #delay(): number {
    const now = this.clock.now();
    const paused = this.#pausedUntil - now;
    if (this.limit === "off") return paused;
    const { requests, seconds } = this.limit;
    const room = requests - this.#underWay;
    this.#ends.splice(0, this.#ends.length - requests);
    if (room <= 0) return Infinity;
    const blocking = this.#ends.at(-room);
    // One millisecond more: an arrival at the very edge would still be inside the server's window.
    return Math.max(paused, blocking === undefined ? 0 : blocking + seconds * 1000 + 1 - now);
  }
}
