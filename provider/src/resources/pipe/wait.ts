import { DatapipesError, type DatapipesErrorCode, type Finding } from "../../errors";
import type { PropertyMap } from "../../core/property-value";
import { scopeOf, type ResourceContext } from "../context";
import { observed, type ObservedPipe } from "./observed";
import type { PipeInputs } from "./schema";
import { nameOf } from "../recovery/presence";

const DEFAULT_TIMEOUT_SECONDS = 600;
const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
/** How long a list may be without a pipe that exists: it may lag behind, or come from a copy that lacks something. */
const LIST_LAG_MS = 15_000;
/** How long nothing is said when nothing changes, in seconds. */
const QUIET_SECONDS = 30;

/** States after which no other comes by itself, as far as is known. The API document lists no states. */
const FAILED_STATES: ReadonlySet<string> = new Set(["Failed", "InternalError"]);
/** The state of a pipe that loads once and has done so. It may be seen before any other. */
const COMPLETED = "Completed";

interface Waiting {
  readonly id: string;
  readonly current: ObservedPipe;
  readonly inputs: PipeInputs;
}

/** Whether the pipe has one of the states that the program waits for. */
export const isAwaited = (pipe: ObservedPipe, { waitFor }: PipeInputs): boolean =>
  waitFor?.states.includes(stateOf(pipe)) === true;

/** Polls the list until the pipe has a state that the program waits for. Every look at it is reported to `seen`. */
export async function waitForState(
  { client, clock, log }: ResourceContext,
  { id, current: found, inputs }: Waiting,
  seen: (found: PropertyMap) => void,
): Promise<PropertyMap> {
  const { waitFor } = inputs;
  if (waitFor === undefined) return found;
  const { states, timeoutSeconds: timeout = DEFAULT_TIMEOUT_SECONDS } = waitFor;
  const name = nameOf(id, inputs);
  const wanted = states.join(" or ");
  const start = clock.now();
  const elapsed = (): number => Math.round((clock.now() - start) / 1000);
  let present = found;
  let said = { state: "", at: 0 };
  let listed = start;

  for (let delay = FIRST_POLL_MS; ; delay = Math.min(MAX_POLL_MS, delay * 1.5)) {
    const state = stateOf(present);
    if (states.includes(state)) return present;
    if (state === COMPLETED) {
      log(`${name} is ${COMPLETED}: it has loaded all of its data, and will not become ${wanted} again.`);
      return present;
    }
    const waited = `The provider waited ${elapsed()} s; the last state seen was ${state}.`;
    if (FAILED_STATES.has(state))
      throw failure("pipe-failed", `${name} will not become ${wanted} by itself. ${waited}`);
    const left = timeout * 1000 - (clock.now() - start);
    // Less than a millisecond is too short for any clock to see it pass.
    if (left < 1)
      throw failure(
        "state-not-reached",
        `${name} did not become ${wanted} within ${timeout} s; the last state seen was ${state}.`,
      );
    if (state !== said.state || elapsed() - said.at >= QUIET_SECONDS) {
      log(`waiting for ${name} to be ${wanted}: ${state} after ${elapsed()} s`);
      said = { state, at: elapsed() };
    }
    await clock.sleep(Math.min(delay, left));
    const pipe = await client().pollPipe(scopeOf(inputs), id);
    if (pipe === undefined) {
      if (clock.now() - listed < LIST_LAG_MS) continue;
      throw failure("pipe-not-listed", `${name} is not in the list any more. ${waited}`, "not-found");
    }
    listed = clock.now();
    present = observed(pipe, present);
    seen(present);
  }
}

const stateOf = ({ state }: ObservedPipe): string => (typeof state === "string" ? state : "unknown");

const failure = (finding: Finding, summary: string, code: DatapipesErrorCode = "timeout"): DatapipesError =>
  new DatapipesError(code, summary, { finding });
