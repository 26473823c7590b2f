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

/** How a request ended: with an answer, without one, or with a 429 that asks for a pause. */
export type Outcome = "served" | "lost" | { readonly refusedForMs: number };

export type Finish = (outcome: Outcome) => void;

/**
 * Lets requests start in the order of their calls, at most so many in any rolling window. Other processes may share
 * the limit of the key: a process starts with one request, and with twice as many whenever one is served; after a
 * refusal it spaces requests by its share.
 */
export class Limiter {
  /** The share of the limit that this process uses: less than 1 after a refusal. */
  #share = 1;
  #atOnce = 1;
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
      if (outcome === "served") this.#serves();
      else if (outcome !== "lost") this.#refuses(startedAt, outcome.refusedForMs);
      this.#wake();
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
    if (room <= 0 || this.#running >= this.#atOnce) return Infinity;
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
    this.#atOnce *= 2;
    this.#share = Math.min(1, this.#share + INCREASE);
  }

  #refuses(startedAt: number, pauseMs: number): void {
    this.#refusedSince ??= startedAt;
    const now = this.clock.now();
    // Refusals of requests that started together are one.
    if (startedAt >= this.#refusedAt) {
      this.#refusedAt = now;
      this.#share *= DECREASE;
      this.#atOnce = 1;
    }
    const interval = this.#interval();
    const pause = Math.max(pauseMs, interval * (1 - JITTER / 2)) + interval * JITTER * this.random();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
  }
}
