/** The simulator's time: a base clock, which may be injected, and what control has moved it forward. */
export class Clock {
  private offset = 0;

  constructor(private readonly base: () => number) {}

  /** Simulated time, in ms. */
  now(): number {
    return this.base() + this.offset;
  }

  /** Time of the base clock, in ms: what request logs carry, so that spacing between requests is real. */
  real(): number {
    return this.base();
  }

  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }

  get offsetMs(): number {
    return this.offset;
  }

  set offsetMs(offset: number) {
    this.offset = offset;
  }
}
