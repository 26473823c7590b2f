import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { setTimeout as setTimeoutPromise } from "node:timers/promises";

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
  isCancelled?(): boolean;
  /**
   * Does work that the first cancellation does not end. Calls `cancelled` if the run is cancelled before or
   * meanwhile.
   */
  finish?<T>(work: () => Promise<T>, cancelled: () => void): Promise<T>;
  /** The deadline of the running call: its waits end then, and it starts no more writes. */
  readonly deadline?: () => Deadline | undefined;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Aborted when the user cancels a run, and when the provider also ends the looks for what its requests did. */
export interface Cancellation {
  readonly cancelled: AbortSignal;
  readonly ended: AbortSignal;
}

/** The time of this machine until the run is cancelled. */
export function cancellableClock({ cancelled, ended }: Cancellation): Clock {
  // Each sleep of a run listens to them, and Node.js would warn of the eleventh.
  setMaxListeners(0, cancelled, ended);
  const isFinishing = new AsyncLocalStorage<true>();
  const signal = (): AbortSignal => (isFinishing.getStore() === true ? ended : cancelled);
  return {
    now: () => systemClock.now(),
    sleep: (milliseconds) =>
      setTimeoutPromise(milliseconds, undefined, { signal: signal() }).catch(() => undefined),
    isCancelled: () => signal().aborted,
    finish: async (work, onCancel) => {
      if (cancelled.aborted) onCancel();
      cancelled.addEventListener("abort", onCancel);
      try {
        return await isFinishing.run(true, work);
      } finally {
        cancelled.removeEventListener("abort", onCancel);
      }
    },
  };
}

/** Whether the user has cancelled the run. */
export const isCancelled = (clock: Clock): boolean => clock.isCancelled?.() === true;

/** Does work that the first cancellation does not end, because it finds out what a write has done. */
export const finish = <T>(clock: Clock, work: () => Promise<T>, onCancel: () => void): Promise<T> =>
  clock.finish?.(work, onCancel) ?? work();
