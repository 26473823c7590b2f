import fc from "fast-check";
import { MANY_RUNS_MS } from "../kit/timeouts";

/** The nightly workflow sets the first two. */
const { LAWS_RUNS, LAWS_SEED, LAWS_PATH } = process.env;

/** It is fixed, so that a failure comes from a change and not from chance. */
const DEFAULT_SEED = 20_261_121;

const DEFAULT_RUNS = 25;

/** After a law has failed, so many values are tried as a smaller counterexample. */
const MAX_SHRINKS = 200;

jest.setTimeout(MANY_RUNS_MS);

/** What the environment says, or the law's own number of runs. */
const parameters = (runs: number) => ({
  seed: Number(LAWS_SEED ?? DEFAULT_SEED),
  numRuns: LAWS_RUNS === undefined ? runs : Number(LAWS_RUNS),
  ...(LAWS_PATH !== undefined && { path: LAWS_PATH, endOnFailure: true }),
});

type Law<T> = fc.IAsyncProperty<T> | fc.IProperty<T>;

/** Ends the search for a smaller counterexample after a number of values. */
function withFewShrinks<T>(law: Law<T>): Law<T> {
  const all = law.shrink.bind(law);
  let left = MAX_SHRINKS;
  const shrink = (value: fc.Value<T>) =>
    all(value).takeWhile(() => {
      left -= 1;
      return left >= 0;
    });
  return Object.assign(law, { shrink });
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
