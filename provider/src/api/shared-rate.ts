import type { RateLimit } from "../settings";
import type { Clock } from "./rate-limiter";

/** For so many windows after a refusal, a process sends one request at a time. */
const SERIAL_WINDOWS = 2;
/** How long a pause is at most beyond what the service asks for, in windows; each further refusal in a row makes it longer. */
const SPREAD_WINDOWS = 0.7;
const SPREAD_GROWTH = 1.5;
const MAX_SPREAD_WINDOWS = 12;

/**
 * How a process shares the limit of its key with other processes, of which it does not know: refusals tell it that there are some. It then
 * sends one request at a time, with pauses whose length is partly random, so that the processes take turns. The constants come from a
 * simulation of 2 to 200 processes.
 */
export class SharedRate {
  /** How many requests the service has served, and refused with 429. */
  served = 0;
  refused = 0;
  #refusedInRow = 0;
  #refusedAt = -Infinity;
  /** When the first of the requests started that have been refused in a row. */
  #unservedSince = 0;
  #pausedUntil = -Infinity;
  #nextAt = -Infinity;
  #running = 0;

  constructor(
    private readonly limit: RateLimit | "off",
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** The time until another request may start; infinite if a running one must end first. */
  delay(): number {
    const now = this.clock.now();
    if (!this.#isSerial(now)) return this.#pausedUntil - now;
    return this.#running > 0 ? Infinity : Math.max(this.#pausedUntil, this.#nextAt) - now;
  }

  /** A request starts. */
  started(): void {
    this.#running += 1;
    this.#nextAt = this.clock.now() + this.#interval() * (0.5 + this.random());
  }

  ended(): void {
    this.#running -= 1;
  }

  /** The service served a request, whatever the answer was. */
  serves(): void {
    this.served += 1;
    this.#refusedInRow = 0;
  }

  /** The service refused a request that started then. No request starts for the time that it asks for, in milliseconds, and a random one. */
  refuses(startedAt: number, pause: number): void {
    const now = this.clock.now();
    this.refused += 1;
    // Those of requests that started together are one refusal.
    const isNew = startedAt >= this.#refusedAt;
    if (this.#refusedInRow === 0) this.#unservedSince = startedAt;
    if (isNew || this.#refusedInRow === 0) this.#refusedInRow += 1;
    if (isNew) this.#refusedAt = now;
    const windows = Math.min(MAX_SPREAD_WINDOWS, SPREAD_WINDOWS * SPREAD_GROWTH ** (this.#refusedInRow - 1));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause + windows * this.#window() * this.random());
  }

  /** How many times in a row requests have been refused. */
  get refusedInRow(): number {
    return this.#refusedInRow;
  }

  /** For how long the service has served no request, in milliseconds. */
  get unservedFor(): number {
    return this.#refusedInRow === 0 ? 0 : this.clock.now() - this.#unservedSince;
  }

  #isSerial(now: number): boolean {
    return now - this.#refusedAt < SERIAL_WINDOWS * this.#window();
  }

  /** Without a limit, only the pauses of the service count. */
  #window(): number {
    return this.limit === "off" ? 0 : this.limit.seconds * 1000;
  }

  #interval(): number {
    return this.limit === "off" ? 0 : this.#window() / this.limit.requests;
  }
}
