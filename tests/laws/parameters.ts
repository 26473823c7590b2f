import fc from "fast-check";
import { LAW_MS, MANY_RUNS_MS } from "../../testkit/timeouts";

/** `npm run test:all` sets the first one. */
const { LAWS_RUNS, LAWS_SEED, LAWS_PATH } = process.env;

/** It is fixed, so that a failure comes from a change and not from chance. */
const DEFAULT_SEED = 20_261_121;

const DEFAULT_RUNS = 25;

if (LAWS_RUNS !== undefined) jest.setTimeout(MANY_RUNS_MS);

/** What the environment says, or the law's own number of runs. */
const parameters = (runs: number) => ({
  seed: Number(LAWS_SEED ?? DEFAULT_SEED),
  ...(LAWS_RUNS === undefined
    ? { numRuns: runs, interruptAfterTimeLimit: LAW_MS, markInterruptAsFailure: true }
    : { numRuns: Number(LAWS_RUNS) }),
  ...(LAWS_PATH !== undefined && { path: LAWS_PATH, endOnFailure: true }),
});

/** Throws with the smallest counterexample found, its seed, and the command that repeats it. */
export async function holds<T>(law: fc.IAsyncProperty<T> | fc.IProperty<T>, runs = DEFAULT_RUNS) {
  const details = await fc.check(law, parameters(runs));
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
