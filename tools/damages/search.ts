import type { Copy } from "./copy";
import type { Damage } from "./damage";
import { runTests, TIERS, tierOf, type FailedTest, type FindingTier } from "./tests";

/** What became of a damage. */
export interface Outcome {
  readonly damage: Damage;
  /** Which tier found it; undefined if none did. */
  readonly tier?: FindingTier;
  /** The time from the change to the end of the tests, with the build. */
  readonly seconds: number;
  /** The test that failed: the first that names the place, else the first. */
  readonly test?: FailedTest;
  readonly namesPlace: boolean;
  /** Why the damage is none for this list. */
  readonly defect?: string;
}

const ORDER = Object.keys(TIERS) as readonly FindingTier[];

/** Damages the copy, and runs the expected tests, or whole tiers, until one fails. */
export async function searchFor(copy: Copy, damage: Damage, isWhole: boolean): Promise<Outcome> {
  const start = performance.now();
  const seconds = (): number => Math.round((performance.now() - start) / 1000);
  try {
    return await copy.damaged(damage, async () => {
      for (const tier of ORDER) {
        const expected = damage.foundBy.filter((test) => tierOf(test) === tier);
        const failed = await runTests(copy, tier, isWhole ? undefined : expected);
        const test = failed.find((each) => isNamed(damage, each)) ?? failed[0];
        if (test !== undefined)
          return { damage, tier, seconds: seconds(), test, namesPlace: isNamed(damage, test) };
      }
      return { damage, seconds: seconds(), namesPlace: false };
    });
  } catch (error) {
    copy.throwIfInterrupted();
    const defect = error instanceof Error ? error.message : String(error);
    return { damage, seconds: seconds(), namesPlace: false, defect };
  }
}

const isNamed = ({ place }: Damage, { name, message }: FailedTest): boolean =>
  place.test(`${name}\n${message}`);

/** The expected tests that fail without any damage: what they find proves nothing. */
export async function alreadyFailing(copy: Copy, damages: readonly Damage[]): Promise<readonly FailedTest[]> {
  const tests = [...new Set(damages.flatMap(({ foundBy }) => foundBy))];
  const ofTiers: FailedTest[] = [];
  for (const tier of ORDER)
    ofTiers.push(
      ...(await runTests(
        copy,
        tier,
        tests.filter((test) => tierOf(test) === tier),
      )),
    );
  return ofTiers;
}
