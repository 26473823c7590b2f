import { beforeDeadline, type Clock } from "../../api/http/clock";
import type { Created, Progress } from "../../lifecycle/program/lifecycle";
import type { PropertyMap } from "../../lifecycle/comparison/property-value";
import { DatapipesError } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { scopeOf, type RunContext } from "../context";
import { describePipe, pipeOfAnswer, type ObservedPipe } from "./observed";
import type { PipeInputs } from "./schema";
import { hasFailed, isCompleted, isOneOf } from "./states";

const DEFAULT_TIMEOUT_SECONDS = 600;
const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
/** The time between two log lines while the state stays the same. */
const LOG_INTERVAL_SECONDS = 30;

export const isAwaited = ({ state }: ObservedPipe, { waitFor }: PipeInputs): boolean =>
  isOneOf(state, waitFor?.states ?? []);

/** Saves the pipe, then polls and saves it until it has a state that the program waits for. */
export async function waitForState(
  { clock, lists, log }: RunContext,
  { id, adopted, ...created }: Created,
  inputs: PipeInputs,
  progress: Progress,
): Promise<PropertyMap> {
  let { current } = created;
  progress.checkpoint(id, inputs, current, adopted);
  if (inputs.waitFor === undefined) return current;
  const [name, wanted] = [describePipe(id, inputs), inputs.waitFor.states.join(" or ")];
  const start = clock.now();
  const limit = limitOf(inputs.waitFor, clock);
  let logged = { state: "", seconds: 0 };
  for (let delay = FIRST_POLL_MS; ; delay = Math.min(MAX_POLL_MS, delay * 1.5)) {
    const state = stateOf(current);
    if (isAwaited(current, inputs)) return current;
    if (isCompleted(state)) {
      log(`${name} is ${state}: it has loaded all of its data.`);
      return current;
    }
    const [left, seconds] = [limit.end - clock.now(), Math.round((clock.now() - start) / 1000)];
    const why = hasFailed(state)
      ? `will not become ${wanted} by itself. The provider waited ${seconds} s`
      : `did not become ${wanted} within ${limit.words}`;
    // Clocks count milliseconds.
    if (left < 1 || hasFailed(state)) throw notReached(`${name} ${why}`, state);
    if (state !== logged.state || seconds - logged.seconds >= LOG_INTERVAL_SECONDS) {
      // The terminal cuts long lines at their ends.
      log(`${state} after ${seconds} s: waiting for ${name} to become ${wanted}`);
      logged = { state, seconds };
    }
    await clock.sleep(Math.min(delay, left));
    // A list that another wait has asked for a moment ago will do. A canceled run asks anew: the request then fails.
    const maxAge = clock.isCancelled() ? 0 : delay / 4;
    const polled = await beforeDeadline(clock, lists.read(scopeOf(inputs), clock.now() - maxAge));
    const pipe = polled?.value.pipes.get(idKey(id));
    if (pipe === undefined) continue;
    current = pipeOfAnswer(pipe, current);
    progress.checkpoint(id, inputs, current, adopted);
  }
}

/** Until when a wait lasts. `customTimeouts` shortens a wait, and replaces the default of `waitFor`. */
function limitOf({ timeoutSeconds }: NonNullable<PipeInputs["waitFor"]>, clock: Clock) {
  const deadline = clock.deadline();
  const seconds = timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const end = clock.now() + seconds * 1000;
  return deadline === undefined || (timeoutSeconds !== undefined && end <= deadline.at)
    ? { end, words: `${seconds} s` }
    : { end: deadline.at, words: `the ${deadline.seconds} s of customTimeouts` };
}

const notReached = (why: string, state: string): DatapipesError =>
  new DatapipesError("timeout", `${why}; the last state seen was ${state}.`, {
    finding: hasFailed(state) ? "pipe-failed" : "state-not-reached",
  });

const stateOf = ({ state }: ObservedPipe): string => (typeof state === "string" ? state : "unknown");
