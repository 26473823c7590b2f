import fc from "fast-check";
import { tier, type Tier } from "../../testkit/tier";

const { LAWS_RUNS, LAWS_SEED, LAWS_PATH } = process.env;

/** The search for the smallest counterexample ends before Jest's timeout, so that its seed is printed. */
const TIME_LIMIT_MS = 240_000;

/**
 * The default seed. It is fixed, so that a failure comes from a change and not from chance;
 * with `LAWS_RUNS`, each run takes a new one.
 */
const DEFAULT_SEED = 20_261_121;

export const runsOf = (runs: Readonly<Record<Tier, number>>): number => runs[tier];

const DEFAULT_RUNS = runsOf({ quick: 25, test: 60, all: 100 });

/** What the environment says, or the law's own number of runs. */
const parameters = (runs: number) => ({
  ...(LAWS_RUNS === undefined
    ? {
        numRuns: runs,
        seed: DEFAULT_SEED,
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        markInterruptAsFailure: true,
      }
    : { numRuns: Number(LAWS_RUNS) }),
  ...(LAWS_SEED !== undefined && { seed: Number(LAWS_SEED) }),
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
