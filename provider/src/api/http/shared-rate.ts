import type { RateLimit } from "../../settings/settings";
import type { Quota } from "./quota";
import type { Clock } from "./clock";

/** The first interval between requests: this share of the window, through what was served in it. */
const FIRST_SHARE = 0.7;
/** What a refusal multiplies the interval with, and what each further one in a row. */
const SLOWER = 2;
const SLOWER_IN_ROW = 1.25;
/** The interval is at least this share of the time without a served request. */
const UNSERVED_SHARE = 0.25;
/** The longest interval, in intervals of the limit. */
const MAX_INTERVALS = 500;
/** The share that a served request takes off an interval as long as that of the limit, and at most off a longer one. */
const FASTER = 0.14;
const MAX_FASTER = 0.4;
/** A process whose interval is shorter, in intervals of the limit, is alone again. */
const ALONE = 0.3;
/** How much of an interval is random. */
const JITTER = 0.8;
/** The longest interval after a refusal, as a share of the time after which requests fail. It gets shorter as this time passes. */
const MAX_UNSERVED_SHARE = 0.15;
/** How long the first requests of a run wait at most for the answers of those before, in intervals of the limit. */
const RAMP_INTERVALS = 0.1;
/** How much shorter an interval is at most while the service states that much is left. */
const MIN_LOAD = 0.3;
/** What counts as left where nothing is. */
const NOTHING_LEFT = 0.1;

/**
 * How a process shares the limit of its key with other processes, of which it does not know. It starts with one request, and with twice as
 * many whenever they are served. A refusal shows that there are others: what the service served of this process in the last window is its
 * share, and the process then sends one request in each interval. Refusals make the interval longer, served requests make it shorter.
 * What the service states to be left, the process divides.
 */
export class SharedRate {
  /** How many requests the service has served, and refused with 429. */
  served = 0;
  refused = 0;
  #refusedInRow = 0;
  #refusedAt = -Infinity;
  /** When the first of the requests started that have been refused in a row. */
  #unservedSince = 0;
  /** When the pause ends that the service asked for, and when the process starts the next request by itself. */
  #pausedUntil = -Infinity;
  #nextAt = -Infinity;
  #running = 0;
  #startedAt = -Infinity;
  /** How many requests may run at once while the process knows of no others. */
  #atOnce = 1;
  /** The time between two requests; 0 while the process knows of no others. */
  #interval = 0;
  /** When the service served requests of this process in the last window, and the last one before. */
  #servedAt: number[] = [];
  #lastServedAt: number;
  readonly #window: number;
  readonly #requests: number;
  /** The interval of the limit. Without a limit it is 0, and only the pauses of the service count. */
  readonly #base: number;

  constructor(
    limit: RateLimit | "off",
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.#window = limit === "off" ? 0 : limit.seconds * 1000;
    this.#requests = limit === "off" ? Infinity : limit.requests;
    this.#base = this.#window / this.#requests;
    this.#lastServedAt = clock.now();
  }

  /** The time until another request may start; infinite if a running one must end first. */
  delay(): number {
    if (this.#interval > 0 && this.#running > 0) return Infinity;
    const isRamp = this.#interval === 0 && this.#running >= this.#atOnce;
    const ramp = isRamp ? this.#startedAt + RAMP_INTERVALS * this.#base : -Infinity;
    return Math.max(this.#pausedUntil, this.#nextAt, ramp) - this.clock.now();
  }

  /** Whether the service has asked for the pause that goes on. */
  get isPaused(): boolean {
    return this.#pausedUntil > this.clock.now();
  }

  started(): void {
    this.#running += 1;
    this.#startedAt = this.clock.now();
    this.#nextAt = this.#startedAt + this.#interval * this.#jitter();
  }

  ended(): void {
    this.#running -= 1;
  }

  /** The service served a request, whatever the answer was, and may have stated what is left. */
  serves(quota?: Quota): void {
    const now = this.clock.now();
    this.served += 1;
    this.#refusedInRow = 0;
    this.#lastServedAt = now;
    this.#servedAt = [...this.#servedAt.filter((at) => at > now - this.#window), now];
    this.#atOnce *= 2;
    if (this.#interval > 0) this.#accelerate();
    if (quota !== undefined && this.#interval < this.#window) this.#divide(quota);
  }

  /**
   * The service refused a request that started then. No request starts for the time that it asks for, in milliseconds, and for an interval.
   * Requests fail after the timeout without a served one.
   */
  refuses(startedAt: number, pause: number, timeout = Infinity): void {
    const now = this.clock.now();
    this.refused += 1;
    // Those of requests that started together are one refusal.
    const isNew = startedAt >= this.#refusedAt;
    if (this.#refusedInRow === 0) this.#unservedSince = startedAt;
    if (isNew || this.#refusedInRow === 0) this.#refusedInRow += 1;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    if (!isNew) return;
    this.#refusedAt = now;
    this.#atOnce = 1;
    this.#slowDown(now);
    const left = Math.max(0, 1 - (this.unservedFor + pause) / Math.max(1, timeout));
    const longest = MAX_UNSERVED_SHARE * timeout * left ** 2;
    this.#nextAt = now + pause + Math.min(longest, this.#interval * this.#jitter());
  }

  /** How many times in a row requests have been refused. */
  get refusedInRow(): number {
    return this.#refusedInRow;
  }

  /** For how long the service has served no request, in milliseconds. */
  get unservedFor(): number {
    return this.#refusedInRow === 0 ? 0 : this.clock.now() - this.#unservedSince;
  }

  #slowDown(now: number): void {
    const longer =
      this.#interval === 0
        ? (FIRST_SHARE * this.#window) / Math.max(1, this.#servedInWindow())
        : this.#interval * (this.#refusedInRow === 1 ? SLOWER : SLOWER_IN_ROW);
    const unserved = UNSERVED_SHARE * (now - this.#lastServedAt);
    this.#interval = Math.min(MAX_INTERVALS * this.#base, Math.max(longer, unserved));
  }

  #accelerate(): void {
    this.#interval *= 1 - Math.min(MAX_FASTER, FASTER * Math.sqrt(this.#interval / this.#base));
    if (this.#interval >= ALONE * this.#base) return;
    this.#interval = 0;
    this.#atOnce = 1;
  }

  /** Spreads requests over the time until the service counts anew, by what is left for all processes. */
  #divide({ remaining, resetSeconds = 0 }: Quota): void {
    const now = this.clock.now();
    // A service that counts in longer windows refuses the next request, and states then for how long.
    const reset = Math.min(this.#window, 1000 * resetSeconds);
    const own = this.#servedInWindow();
    const all = this.#requests - remaining;
    if (all > own) this.#atOnce = Math.max(1, Math.min(this.#atOnce, Math.floor((remaining * own) / all)));
    if (this.#interval === 0) {
      if (remaining === 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + reset);
      return;
    }
    const load = reset / this.#base / Math.max(NOTHING_LEFT, remaining);
    const wait = this.#interval * Math.max(MIN_LOAD, load) * this.#jitter();
    const afterReset = reset + this.#interval * this.random() * (1 - reset / wait);
    this.#nextAt = now + (wait < reset ? wait : afterReset);
  }

  /** How many requests of this process the service served in the last window. */
  #servedInWindow(): number {
    const since = this.clock.now() - this.#window;
    return this.#servedAt.filter((at) => at > since).length;
  }

  #jitter(): number {
    return 1 + JITTER * (this.random() - 0.5);
  }
}
