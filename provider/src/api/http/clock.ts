/** When the waits of a call must end: the timeout that the program gives in `customTimeouts`. */
export interface Deadline {
  readonly seconds: number;
  /** When it ends, by the clock. */
  readonly at: number;
}

/** The time of a run; tests have one of their own. */
export interface Clock {
  /** Milliseconds since a fixed time. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Whether the user has cancelled the run: waits end, and no request starts after that. */
  isCancelled(): boolean;
  /**
   * Does work that the first cancellation does not end, because it finds out what a write has done. Calls `cancelled`
   * if the run is cancelled before or meanwhile.
   */
  finish<T>(work: () => Promise<T>, cancelled: () => void): Promise<T>;
  /** The deadline of the running call: its waits end then, and it starts no more writes. */
  deadline(): Deadline | undefined;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  isCancelled: () => false,
  finish: (work) => work(),
  deadline: () => undefined,
};
