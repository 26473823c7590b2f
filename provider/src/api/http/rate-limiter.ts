import type { RateLimit } from "../../settings/settings";
import type { Clock } from "./clock";

/** A refusal halves the share, as in TCP: the other processes need their part at once. */
const DECREASE = 0.5;
/** What a served request adds to the share: a process that is alone again soon has the whole limit. */
const INCREASE = 0.125;
/** How much of an interval is random: processes that are refused together must not come back together. */
const JITTER = 0.8;
/** The longest interval, in windows: a process that the service refuses for ten minutes still tries often. */
const LONGEST_WINDOWS = 3;

/** How a request ended: with an answer, without one, or with a 429 that asks for a wait; 0 if it does not say how long. */
export type Outcome = "served" | "lost" | { readonly askedMs: number };

/** A wait after a 429, in milliseconds. */
export interface Pause {
  readonly askedMs: number;
  readonly pauseMs: number;
}

/** Ends a request. Returns the wait that follows, unless an earlier one was as long. */
export type Finish = (outcome: Outcome) => Pause | undefined;

/**
 * Lets requests start in the order of their calls, at most so many in any rolling window. Other processes may share
 * the limit of the key: after a refusal, a process waits as long as the service asks, at most twice as long, and then
 * spaces requests by its share.
 */
export class Limiter {
  /** The share of the limit that this process uses: less than 1 after a refusal. */
  #share = 1;
  #running = 0;
  /**
   * When the last requests ended, oldest first: the server counts one at an unknown time between its start and
   * its end.
   */
  #ends: number[] = [];
  #startedAt = -Infinity;
  #refusedAt = -Infinity;
  #pausedUntil = -Infinity;
  /** When the first of the requests started that the service has refused in a row. */
  #refusedSince: number | undefined;
  /** The longest wait, or demand for one, that a caller knows of. */
  #toldMs = 0;
  #turn: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  readonly #requests: number;
  readonly #windowMs: number;
  readonly #intervalMs: number;

  constructor(
    limit: RateLimit | "off",
    private readonly clock: Clock,
    private readonly random: () => number = Math.random,
  ) {
    // Without a limit, refusals space requests as the default limit does.
    const { requests, seconds } = limit === "off" ? { requests: 10, seconds: 10 } : limit;
    this.#requests = limit === "off" ? Infinity : requests;
    this.#windowMs = seconds * 1000;
    this.#intervalMs = this.#windowMs / requests;
  }

  /** For how long the service has refused every request, in milliseconds. */
  refusedForMs = (): number => (this.#refusedSince === undefined ? 0 : this.clock.now() - this.#refusedSince);

  async start(): Promise<Finish> {
    this.#turn = this.#turn.then(() => this.#wait());
    await this.#turn;
    const startedAt = this.clock.now();
    return (outcome) => {
      this.#running -= 1;
      if (this.#requests !== Infinity) this.#ends = [...this.#ends, this.clock.now()].slice(-this.#requests);
      const pause = typeof outcome === "object" ? this.#refuses(startedAt, outcome.askedMs) : undefined;
      if (outcome === "served") this.#serves();
      this.#wake();
      return pause;
    };
  }

  async #wait(): Promise<void> {
    for (let delay = this.#delay(); delay > 0 && !this.clock.isCancelled(); delay = this.#delay()) {
      // The end of a request may make a wait shorter: its timer then keeps the process alive for 5 s at most.
      const ended = new Promise<void>((resolve) => (this.#wake = resolve));
      const wait = Math.ceil(Math.min(delay, 5_000));
      await (delay === Infinity ? ended : Promise.race([ended, this.clock.sleep(wait)]));
    }
    this.#running += 1;
    this.#startedAt = this.clock.now();
  }

  /** The time until another request may start; infinite if a running one must end first. */
  #delay(): number {
    const room = this.#requests - this.#running;
    if (room <= 0) return Infinity;
    const blocking = this.#ends.at(-room);
    // One millisecond more: the edge is still inside the server's window.
    const rolling = blocking === undefined ? -Infinity : blocking + this.#windowMs + 1;
    const spaced = this.#share === 1 ? -Infinity : this.#startedAt + this.#interval();
    return Math.max(rolling, spaced, this.#pausedUntil) - this.clock.now();
  }

  #interval(): number {
    return Math.min(this.#intervalMs / this.#share, LONGEST_WINDOWS * this.#windowMs);
  }

  #serves(): void {
    this.#refusedSince = undefined;
    this.#share = Math.min(1, this.#share + INCREASE);
    if (this.#share === 1) this.#toldMs = 0;
  }

  #refuses(startedAt: number, askedMs: number): Pause | undefined {
    const now = this.clock.now();
    // Refusals of requests that started together are one.
    if (startedAt >= this.#refusedAt) {
      this.#refusedAt = now;
      // A service that asks for a wait knows when it ends: only its first refusal in a row says something new.
      if (askedMs === 0 || this.#refusedSince === undefined) this.#share *= DECREASE;
    }
    this.#refusedSince ??= startedAt;
    const pauseMs =
      askedMs > 0
        ? askedMs + Math.min(askedMs, this.#windowMs) * this.random()
        : this.#interval() * (1 + JITTER * (this.random() - 0.5));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    // The pause takes the place of the interval since the last start.
    this.#startedAt = -Infinity;
    const newsMs = askedMs > 0 ? askedMs : pauseMs;
    if (newsMs <= this.#toldMs) return undefined;
    this.#toldMs = newsMs;
    return { askedMs, pauseMs: this.#pausedUntil - now };
  }
}
