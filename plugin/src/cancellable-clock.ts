import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock, type Clock } from "../../provider/src/api/http/clock";
import { currentDeadline } from "./calls";

/** Aborted when the user cancels a run, and when the provider also ends the looks for what its requests did. */
export interface Cancellation {
  readonly cancelled: AbortSignal;
  readonly ended: AbortSignal;
}

/** The longest time that a timer can hold; one that is longer ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time of this machine until the run is canceled. Waits also end at the timeout of the running call. */
export function cancellableClock({ cancelled, ended }: Cancellation): Clock {
  // Each sleep of a run listens to them, and Node.js would warn of the eleventh.
  setMaxListeners(0, cancelled, ended);
  const isFinishing = new AsyncLocalStorage<true>();
  const signal = (): AbortSignal => (isFinishing.getStore() === true ? ended : cancelled);
  return {
    now: () => systemClock.now(),
    sleep: (milliseconds) =>
      sleep(Math.min(milliseconds, MAX_TIMER_MS), undefined, { signal: signal() }).catch(() => undefined),
    isCancelled: () => signal().aborted,
    deadline: currentDeadline,
    finish: (work) => isFinishing.run(true, work),
  };
}
