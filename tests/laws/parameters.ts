import fc from "fast-check";
import { MANY_RUNS_MS } from "../kit/timeouts";

/** The nightly workflow sets the first two. */
const { LAWS_RUNS, LAWS_SEED, LAWS_PATH } = process.env;

/** It is fixed, so that a failure comes from a change and not from chance. */
const DEFAULT_SEED = 20_261_121;

const DEFAULT_RUNS = 25;

/** After a law has failed, so many runs look for a smaller counterexample. */
const MAX_SHRINKS = 200;

jest.setTimeout(MANY_RUNS_MS);

/** What the environment says, or the law's own number of runs. */
const parameters = (runs: number) => ({
  seed: Number(LAWS_SEED ?? DEFAULT_SEED),
  numRuns: LAWS_RUNS === undefined ? runs : Number(LAWS_RUNS),
  ...(LAWS_PATH !== undefined && { path: LAWS_PATH, endOnFailure: true }),
});

type Law<T> = fc.IAsyncProperty<T> | fc.IProperty<T>;

/** Ends the search for a smaller counterexample after a number of runs: each further value passes. */
function withFewShrinks<T>(law: Law<T>): Law<T> {
  const first = law.run.bind(law);
  let hasFailed = false;
  let runsAfter = 0;
  const noted = <R>(result: R): R => {
    hasFailed ||= result !== null && !fc.PreconditionFailure.isFailure(result);
    return result;
  };
  const run = (value: T) => {
    if (hasFailed) runsAfter += 1;
    if (runsAfter > MAX_SHRINKS) return null;
    const result = first(value);
    return result instanceof Promise ? result.then(noted) : noted(result);
  };
  return Object.assign(law, { run });
}

/** Throws with the smallest counterexample found, its seed, and the command that repeats it. */
export async function holds<T>(law: Law<T>, runs = DEFAULT_RUNS) {
  const details = await fc.check(withFewShrinks(law), parameters(runs));
  if (!details.failed) return;
  const { seed, counterexamplePath, errorInstance } = details;
  const name = (expect.getState().currentTestName ?? "").replaceAll(/[^\w ]/g, ".");
  const values = `LAWS_SEED=${seed} LAWS_PATH=${counterexamplePath ?? ""}`;
  const again = `${values} npm run test:quick -- --selectProjects laws --testNamePattern "^${name}$"`;
  throw new Error(
    `${fc.defaultReportMessage(details) ?? "The law fails."}\n\nTo run this one again:\n  ${again}\n`,
    { cause: errorInstance },
  );
}
