import fc from "fast-check";

const { LAWS_RUNS, LAWS_SEED, LAWS_PATH } = process.env;

/** The time after which a search for the smallest counterexample ends, so that its seed is printed before Jest gives up. */
const TIME_LIMIT_MS = 240_000;

/**
 * Where the search begins when nobody asks: always at the same place, so that a change is blamed for what it breaks and for
 * nothing else. `npm run laws` searches elsewhere each time.
 */
const USUAL_SEED = 20_261_121;

/** What was asked for with `npm run laws`, or the law's own number of runs. */
const parameters = (runs: number) => ({
  ...(LAWS_RUNS === undefined
    ? {
        numRuns: runs,
        seed: USUAL_SEED,
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        markInterruptAsFailure: true,
      }
    : { numRuns: Number(LAWS_RUNS) }),
  ...(LAWS_SEED !== undefined && { seed: Number(LAWS_SEED) }),
  ...(LAWS_PATH !== undefined && { path: LAWS_PATH, endOnFailure: true }),
});

/** How often a law is tried where nobody asks for more. */
export const USUAL_RUNS = 100;

/** Fails with the smallest counterexample that was found, its seed, and the command that runs it again. */
export async function holds<T>(
  law: fc.IAsyncProperty<T> | fc.IProperty<T>,
  runs = USUAL_RUNS,
): Promise<void> {
  const details = await fc.check(law, parameters(runs));
  if (!details.failed) return;
  const { seed, counterexamplePath, errorInstance } = details;
  const again = `npm run laws -- --seed=${seed} --path=${counterexamplePath ?? ""} --test ${JSON.stringify(nameOfTest())}`;
  throw new Error(
    `${fc.defaultReportMessage(details) ?? "The law fails."}\n\nTo run this one again:\n  ${again}\n`,
    {
      cause: errorInstance,
    },
  );
}

const nameOfTest = (): string => expect.getState().currentTestName ?? "";
