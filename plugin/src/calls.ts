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

/** Runs a call of the engine about a resource. */
export function aboutResource<T>(request: ResourceRequest, work: () => T): T {
  const seconds = request.getTimeout?.() ?? 0;
  const deadline = seconds > 0 ? { seconds, at: systemClock.now() + seconds * 1000 } : undefined;
  return runningCall.run({ urn: request.getUrn(), deadline }, work);
}

/** The deadline of the running call, by the time of this machine. */
export const currentDeadline = (): Deadline | undefined => runningCall.getStore()?.deadline;

/** The URN of the resource of the running call. */
export const currentUrn = (): string | undefined => runningCall.getStore()?.urn;
