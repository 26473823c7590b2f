/** The simulator's time: a base clock, which may be injected, and what control has moved it forward. */
export class Clock {
  private offset = 0;

  constructor(
    private readonly base: () => number,
    private readonly skewSeconds: () => number = () => 0,
  ) {}

  /** Simulated time, in ms. */
  now(): number {
    return this.base() + this.offset;
  }

  /** The time that answers state, in ms: simulated time as a clock that runs fast or slow shows it. */
  stated(): number {
    return this.now() + this.skewSeconds() * 1000;
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
