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
}

const ORDER = Object.keys(TIERS) as readonly FindingTier[];

/** Damages the copy, and runs the expected tests, or whole tiers, until one fails. */
export async function searchFor(copy: Copy, damage: Damage, isWhole: boolean): Promise<Outcome> {
  const outcome = await copy.damaged(damage, () => search(copy, damage, isWhole));
  // The tests that come next must not load what was compiled from the damage.
  if (outcome.tier !== "quick" && !isWhole) await copy.build();
  return outcome;
}

async function search(copy: Copy, damage: Damage, isWhole: boolean): Promise<Outcome> {
  const start = performance.now();
  const seconds = (): number => Math.round((performance.now() - start) / 1000);
  for (const tier of ORDER) {
    const expected = damage.foundBy.filter((test) => tierOf(test) === tier);
    if (expected.length === 0 && !isWhole) continue;
    await (tier === "quick" && !isWhole ? copy.bundle() : copy.build());
    const failed = await runTests(copy, tier, isWhole ? undefined : expected);
    const test = failed.find((each) => isNamed(damage, each)) ?? failed[0];
    if (test !== undefined)
      return { damage, tier, seconds: seconds(), test, namesPlace: isNamed(damage, test) };
  }
  return { damage, seconds: seconds(), namesPlace: false };
}

const isNamed = ({ place }: Damage, { name, message }: FailedTest): boolean =>
  place.test(`${name}\n${message}`);

/** The expected tests that fail without any damage: what they find proves nothing. */
export async function alreadyFailing(copy: Copy, damages: readonly Damage[]): Promise<readonly FailedTest[]> {
  const tests = [...new Set(damages.flatMap(({ foundBy }) => foundBy))];
  const failed: FailedTest[] = [];
  for (const tier of ORDER) {
    const ofTier = tests.filter((test) => tierOf(test) === tier);
    failed.push(...(await runTests(copy, tier, ofTier)));
  }
  return failed;
}
