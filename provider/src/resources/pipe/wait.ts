import { beforeDeadline } from "../../api/http/deadline";
import type { Clock } from "../../api/http/clock";
import type { Created, Progress } from "../../lifecycle/program/lifecycle";
import type { PropertyMap } from "../../lifecycle/comparison/property-value";
import { DatapipesError, type Finding } from "../../messages/errors";
import { idKey } from "../../values/uuid";
import { scopeOf, type RunContext } from "../context";
import { describePipe, pipeOfAnswer, type ObservedPipe } from "./observed";
import type { PipeInputs } from "./schema";
import { foldedState, hasFailed, isCompleted } from "./states";

const DEFAULT_TIMEOUT_SECONDS = 600;
const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
/** The time between two log lines while the state stays the same. */
const LOG_INTERVAL_SECONDS = 30;

export const isAwaited = (pipe: ObservedPipe, { waitFor }: PipeInputs): boolean =>
  waitFor?.states.map(foldedState).includes(foldedState(stateOf(pipe))) === true;

/** Saves the pipe, then polls and saves it until it has a state that the program waits for. */
export async function waitForState(
  { clock, lists, log }: RunContext,
  created: Created,
  inputs: PipeInputs,
  progress: Progress,
): Promise<PropertyMap> {
  const { id, adopted } = created;
  let { current } = created;
  progress.checkpoint(id, inputs, current, adopted);
  if (inputs.waitFor === undefined) return current;
  const start = clock.now();
  const limit = limitOf(inputs.waitFor, clock);
  const wait = { name: describePipe(id, inputs), wanted: inputs.waitFor.states.join(" or "), limit };
  let logged = { state: "", seconds: 0 };
  for (let delay = FIRST_POLL_MS; ; delay = Math.min(MAX_POLL_MS, delay * 1.5)) {
    const state = stateOf(current);
    if (isAwaited(current, inputs)) return current;
    if (isCompleted(state)) {
      log(`${wait.name} is ${state}: it has loaded all of its data.`);
      return current;
    }
    const left = limit.end - clock.now();
    const seconds = Math.round((clock.now() - start) / 1000);
    throwIfOver({ ...wait, state, seconds, left });
    if (state !== logged.state || seconds - logged.seconds >= LOG_INTERVAL_SECONDS) {
      // The terminal cuts long lines at their ends.
      log(`${state} after ${seconds} s: waiting for ${wait.name} to become ${wait.wanted}`);
      logged = { state, seconds };
    }
    await clock.sleep(Math.min(delay, left));
    // A list that another wait has asked for a moment ago will do. A cancelled run asks anew: the request then fails.
    const maxAge = clock.isCancelled() ? 0 : delay / 4;
    const polled = await beforeDeadline(clock, lists.read(scopeOf(inputs), clock.now() - maxAge));
    const pipe = polled?.value.pipes.get(idKey(id));
    if (pipe === undefined) continue;
    current = pipeOfAnswer(pipe, current);
    progress.checkpoint(id, inputs, current, adopted);
  }
}

/** Until when a wait lasts, in the words of its error. */
interface Limit {
  readonly end: number;
  readonly words: string;
}

/** `customTimeouts` shortens a wait, and replaces the default of `waitFor`. */
function limitOf({ timeoutSeconds }: NonNullable<PipeInputs["waitFor"]>, clock: Clock): Limit {
  const deadline = clock.deadline();
  const seconds = timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const end = clock.now() + seconds * 1000;
  return deadline === undefined || (timeoutSeconds !== undefined && end <= deadline.at)
    ? { end, words: `${seconds} s` }
    : { end: deadline.at, words: `the ${deadline.seconds} s of customTimeouts` };
}

/** `left` is the milliseconds until the timeout. */
type Wait = Record<"name" | "wanted" | "state", string> &
  Record<"seconds" | "left", number> & { readonly limit: Limit };

function throwIfOver({ name, wanted, limit, state, seconds, left }: Readonly<Wait>): void {
  const fail = (finding: Finding, why: string): never => {
    throw new DatapipesError("timeout", `${name} ${why} last state seen was ${state}.`, { finding });
  };
  const waited = `The provider waited ${seconds} s; the`;
  if (hasFailed(state)) fail("pipe-failed", `will not become ${wanted} by itself. ${waited}`);
  // Clocks count milliseconds.
  if (left < 1) fail("state-not-reached", `did not become ${wanted} within ${limit.words}; the`);
}

const stateOf = ({ state }: ObservedPipe): string => (typeof state === "string" ? state : "unknown");
