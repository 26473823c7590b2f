import type { Clock } from "./rate-limiter";

/** The moments between which something was, in milliseconds since 1970 on the server's own clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When a request was sent and its answer was there, on our clock, and the headers of the answer. */
export interface Exchange {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A `Date` header has whole seconds, and servers have been seen to renew its text a little late. */
const DATE_RESOLUTION_MS = 1_100;
/** By how much the clocks of the machines behind one address may differ and still count as one. */
const MAX_DISAGREEMENT_MS = 2_000;
/** How much our clock and the server's may drift apart, as a share of the time that passes. */
const DRIFT = 1e-4;
/** More precise than this it need not be known. */
const PRECISE_MS = 100;

/**
 * What the server's clock shows, as far as the `Date` headers of its answers tell. Each one says the difference to our clock to a
 * second and the time that the exchange took; all together say it better. Our clock must run evenly, whatever it shows.
 */
export class ServerClock {
  /** What is to be added to our time: between these two. */
  #offset: Span = { from: -Infinity, to: Infinity };
  /** The largest disagreement of two answers. */
  #disagreement = 0;
  /** Since when our clock and the server's have run evenly: what was before is not known. */
  #since = Infinity;
  #learntAt = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Takes the time of an answer. One that a cache has kept says nothing of now. */
  learn({ sentAt, answeredAt, headers }: Exchange): void {
    const { date, age } = headers;
    const shown = typeof date === "string" && age === undefined ? Date.parse(date) : NaN;
    if (Number.isNaN(shown)) return;
    const said = { from: shown - answeredAt, to: shown + DATE_RESOLUTION_MS - sentAt };
    const drift = Math.abs(sentAt - this.#learntAt) * DRIFT;
    const known = { from: this.#offset.from - drift, to: this.#offset.to + drift };
    const both = { from: Math.max(known.from, said.from), to: Math.min(known.to, said.to) };
    const gap = both.from - both.to;
    if (gap <= 0) this.#offset = both;
    else if (gap <= MAX_DISAGREEMENT_MS) {
      this.#offset = { from: Math.min(known.from, said.from), to: Math.max(known.to, said.to) };
      this.#disagreement = Math.max(this.#disagreement, gap);
    } else {
      this.#offset = said;
      this.#since = Infinity;
    }
    this.#since = Math.min(this.#since, sentAt);
    this.#learntAt = sentAt;
  }

  /** What the server's clock showed at a moment of ours; undefined when nobody can say. */
  at(moment: number): Span | undefined {
    const { from, to } = this.#offset;
    if (!Number.isFinite(from) || moment < this.#since) return undefined;
    return { from: moment + from - this.#disagreement, to: moment + to + this.#disagreement };
  }

  /** How long until an answer would halve what is not known of the difference: the server's second is then about to change. */
  untilTelling(): number {
    const { from, to } = this.#offset;
    if (!Number.isFinite(from) || to - from <= PRECISE_MS) return 0;
    const shown = this.clock.now() + (from + to) / 2;
    return Math.ceil(shown / 1000) * 1000 - shown;
  }
}
