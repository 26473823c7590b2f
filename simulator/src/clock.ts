/** The simulator's time: a base clock, which may be injected, and the time by which control has advanced it. */
export class Clock {
  /** The time by which control has advanced it. */
  offsetMs = 0;

  constructor(
    private readonly base: () => number,
    private readonly skewSeconds: () => number = () => 0,
  ) {}

  /** Simulated time, in ms. */
  now(): number {
    return this.base() + this.offsetMs;
  }

  /** Simulated time with the clock skew, in ms, as answers state it. */
  stated(): number {
    return this.now() + this.skewSeconds() * 1000;
  }

  /** Time of the base clock, in ms: in the request log, times between requests are real. */
  real(): number {
    return this.base();
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
