import type { Created, Progress } from "../../core/lifecycle";
import type { PropertyMap } from "../../core/property-value";
import { DatapipesError, type DatapipesErrorCode, type Finding } from "../../errors";
import { scopeOf, type ResourceContext } from "../context";
import { nameOf, observed, type ObservedPipe } from "./observed";
import type { PipeInputs } from "./schema";

const DEFAULT_TIMEOUT_SECONDS = 600;
const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
/** A list may lack an existing pipe for this long: it may lag behind, or come from a replica that lacks the pipe. */
const LIST_LAG_MS = 15_000;
/** The time between two log lines while the state stays the same. */
const LOG_INTERVAL_SECONDS = 30;

/** States that a pipe is not known to leave by itself. The API document lists no states. */
const FAILED_STATES: ReadonlySet<string> = new Set(["Failed", "InternalError"]);
/** The last state of a pipe that loads once. It may be the first one that a read shows. */
const COMPLETED = "Completed";

/** Whether the pipe has one of the states that the program waits for. */
export const isAwaited = (pipe: ObservedPipe, { waitFor }: PipeInputs): boolean =>
  waitFor?.states.includes(stateOf(pipe)) === true;

/** Saves the pipe, then polls and saves it until it has a state that the program waits for. */
export async function waitForState(
  { client, clock, log }: ResourceContext,
  created: Created,
  inputs: PipeInputs,
  progress: Progress,
): Promise<PropertyMap> {
  const { id } = created;
  let { current } = created;
  progress.checkpoint(id, inputs, current);
  if (inputs.waitFor === undefined) return current;
  const { states, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = inputs.waitFor;
  const wait = { name: nameOf(id, inputs), wanted: states.join(" or "), timeoutSeconds };
  const start = clock.now();
  let listedAt = start;
  let logged = { state: "", seconds: 0 };
  for (let delay = FIRST_POLL_MS; ; delay = Math.min(MAX_POLL_MS, delay * 1.5)) {
    const state = stateOf(current);
    if (states.includes(state)) return current;
    if (state === COMPLETED) {
      log(
        `${wait.name} is ${COMPLETED}: it has loaded all of its data, and will not become ${wait.wanted} again.`,
      );
      return current;
    }
    const now = clock.now();
    const seconds = Math.round((now - start) / 1000);
    const left = start + timeoutSeconds * 1000 - now;
    throwIfOver({ ...wait, state, seconds, left, unlisted: now - listedAt });
    if (state !== logged.state || seconds - logged.seconds >= LOG_INTERVAL_SECONDS) {
      log(`waiting for ${wait.name} to become ${wait.wanted}: state ${state} after ${seconds} s`);
      logged = { state, seconds };
    }
    await clock.sleep(Math.min(delay, left));
    const pipe = await client().pollPipe(scopeOf(inputs), id);
    if (pipe === undefined) continue;
    listedAt = clock.now();
    current = observed(pipe, current);
    progress.checkpoint(id, inputs, current);
  }
}

/** `left` and `unlisted` are milliseconds: until the timeout, and since a list had the pipe. */
type Wait = Record<"name" | "wanted" | "state", string> &
  Record<"timeoutSeconds" | "seconds" | "left" | "unlisted", number>;

function throwIfOver({ name, wanted, timeoutSeconds, state, seconds, left, unlisted }: Readonly<Wait>): void {
  const fail = (finding: Finding, why: string, code: DatapipesErrorCode = "timeout"): never => {
    throw new DatapipesError(code, `${name} ${why} last state seen was ${state}.`, { finding });
  };
  const waited = `The provider waited ${seconds} s; the`;
  if (unlisted >= LIST_LAG_MS) fail("pipe-not-listed", `is no longer in the list. ${waited}`, "not-found");
  if (FAILED_STATES.has(state)) fail("pipe-failed", `will not become ${wanted} by itself. ${waited}`);
  // Clocks count milliseconds.
  if (left < 1) fail("state-not-reached", `did not become ${wanted} within ${timeoutSeconds} s; the`);
}

const stateOf = ({ state }: ObservedPipe): string => (typeof state === "string" ? state : "unknown");
