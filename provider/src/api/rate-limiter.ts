import type { RateLimit } from "../config";

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
  #waiting = 0;
  #quietUntil = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly limit: RateLimit | "off",
    private readonly clock: Clock = systemClock,
  ) {}

  /** Resolves when a request may start, with what is to be called when it is over. A long wait is told. */
  async start(log: (line: string) => void = () => undefined): Promise<Finish> {
    const since = this.clock.now();
    this.#waiting += 1;
    this.#turn = this.#turn.then(() => this.#wait(since, log));
    await this.#turn;
    this.#waiting -= 1;
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

  async #wait(since: number, log: (line: string) => void): Promise<void> {
    for (let delay = this.#delay(); delay > 0; delay = this.#delay()) {
      if (delay === Infinity) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#tell(since, delay, log);
      await this.clock.sleep(Math.ceil(delay));
    }
    this.#underWay += 1;
  }

  /** A short wait behind many others is a long one too. */
  #tell(since: number, delay: number, log: (line: string) => void): void {
    const now = this.clock.now();
    if (now + delay - since <= LONG_WAIT_MS || now < this.#quietUntil) return;
    this.#quietUntil = now + LONG_WAIT_MS;
    const others = this.#waiting === 1 ? "" : `, ${this.#waiting} requests wait`;
    log(`waiting ${Math.ceil(delay / 1000)} s before the next request${others} (rate limit of the API)`);
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

/** The limiters of this process: whoever uses the same key at the same address shares one, as the server counts it. */
const limiters = new WeakMap<Clock, Map<string, Limiter>>();

/** The limiter of a credential. Those who want another limit for it share another one. */
export function limiterFor(credential: string, limit: RateLimit | "off", clock: Clock): Limiter {
  const ofClock = limiters.get(clock) ?? new Map<string, Limiter>();
  limiters.set(clock, ofClock);
  const key = JSON.stringify([credential, limit]);
  const limiter = ofClock.get(key) ?? new Limiter(limit, clock);
  ofClock.set(key, limiter);
  return limiter;
}
