import { AsyncLocalStorage } from "node:async_hooks";
import type { Deadline } from "../../provider/src/api/http/clock";
import { systemClock } from "../../provider/src/api/http/clock";

/** The part of a request that its call depends on. */
export interface ResourceRequest {
  getUrn(): string;
  /** The seconds of `customTimeouts`; 0 without. */
  getTimeout?(): number;
}

const runningCall = new AsyncLocalStorage<{
  readonly urn: string;
  readonly deadline: Deadline | undefined;
}>();

/** The longest time that a timer can hold, in seconds. */
const MAX_TIMER_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** Runs a call of the engine about a resource. */
export function aboutResource<T>(request: ResourceRequest, work: () => T): T {
  const seconds = request.getTimeout?.() ?? 0;
  const hasTimeout = seconds > 0 && seconds <= MAX_TIMER_SECONDS;
  const deadline = hasTimeout ? { seconds, at: systemClock.now() + seconds * 1000 } : undefined;
  return runningCall.run({ urn: request.getUrn(), deadline }, work);
}

/** The deadline of the running call, by the time of this machine. */
export const currentDeadline = (): Deadline | undefined => runningCall.getStore()?.deadline;

/** The URN of the resource of the running call. */
export const currentUrn = (): string | undefined => runningCall.getStore()?.urn;
