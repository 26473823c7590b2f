import type { Clock } from "./clock";

/** A time between `from` and `to`, in milliseconds since 1970 on the server's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When a request was sent and its answer received, on our clock, and the headers of the answer. */
export interface Exchange {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A `Date` header has whole seconds, and some servers update its text a little late. */
const DATE_RESOLUTION_MS = 1_100;
/** The largest difference of the clocks of several servers behind one address. */
const MAX_DIFFERENCE_MS = 2_000;
/** How far our clock and the server's drift apart, as a share of the time that passes. */
const DRIFT = 1e-4;
/** The precision at which `ServerClock.msUntilNextSecond` stops, in milliseconds. */
const PRECISE_MS = 100;

/**
 * The server's clock, from the `Date` headers of its answers. Each header gives the offset to our clock with an error of a second and of the
 * duration of the request; the intersection of all is more precise. Our clock must be monotonic.
 */
export class ServerClock {
  /** The server's time minus ours is between these. */
  #offset: Span = { from: -Infinity, to: Infinity };
  /** The largest difference between the clocks of two answers. */
  #difference = 0;
  /** The offset is valid from this time of our clock on. */
  #since = Infinity;
  #updatedAt = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Learns from an answer, unless it has an `Age` header and so comes from a cache. */
  update({ sentAt, answeredAt, headers }: Exchange): void {
    const { date, age } = headers;
    const shown = typeof date === "string" && age === undefined ? Date.parse(date) : NaN;
    if (Number.isNaN(shown)) return;
    const said = { from: shown - answeredAt, to: shown + DATE_RESOLUTION_MS - sentAt };
    const drift = Math.abs(sentAt - this.#updatedAt) * DRIFT;
    const known = { from: this.#offset.from - drift, to: this.#offset.to + drift };
    const both = { from: Math.max(known.from, said.from), to: Math.min(known.to, said.to) };
    const gap = both.from - both.to;
    if (gap <= 0) this.#offset = both;
    else if (gap <= MAX_DIFFERENCE_MS) {
      this.#offset = { from: Math.min(known.from, said.from), to: Math.max(known.to, said.to) };
      this.#difference = Math.max(this.#difference, gap);
    } else {
      this.#offset = said;
      this.#since = Infinity;
    }
    this.#since = Math.min(this.#since, sentAt);
    this.#updatedAt = sentAt;
  }

  /** The server's time at a time of our clock, if it is known. */
  at(moment: number): Span | undefined {
    const { from, to } = this.#offset;
    if (!Number.isFinite(from) || moment < this.#since) return undefined;
    return { from: moment + from - this.#difference, to: moment + to + this.#difference };
  }

  /** The time until the second of the server's clock probably changes: an answer then halves the uncertainty. 0 if it is precise. */
  msUntilNextSecond(): number {
    const { from, to } = this.#offset;
    if (!Number.isFinite(from) || to - from <= PRECISE_MS) return 0;
    const shown = this.clock.now() + (from + to) / 2;
    return Math.ceil(shown / 1000) * 1000 - shown;
  }
}
