import { availableParallelism } from "node:os";
import { plain, page, table } from "../reference/markdown";
import { partOf } from "./damage";
import type { Outcome } from "./search";
import { TIERS, type FindingTier } from "./tests";

/** The page of a complete run. */
export const DAMAGES_PAGE = "docs/damages.md";

const PARTS = {
  provider: "The provider",
  plugin: "The native plugin",
  simulator: "The simulator",
} as const;

export const isFound = ({ tier }: Outcome): boolean => tier !== undefined;

const foundBy = (outcomes: readonly Outcome[], tier: FindingTier): number =>
  outcomes.filter((outcome) => outcome.tier === tier).length;

/** How many damages each tier found: `npm test` has all tests of the other one. */
export const countsOf = (outcomes: readonly Outcome[]): string =>
  `${outcomes.filter(isFound).length} of ${outcomes.length} found by ${TIERS.test}, ${foundBy(outcomes, "quick")} by ${TIERS.quick}`;

/** One line of what became of a damage. */
export function lineOf({ damage, tier, seconds, test, namesPlace, defect }: Outcome): string {
  if (defect !== undefined) return `✘ ${damage.name}: not tried: ${defect}`;
  if (tier === undefined || test === undefined) return `✘ ${damage.name}: not found (${seconds} s)`;
  const place = namesPlace ? "" : ", which does not name the place";
  return `✔ ${damage.name}: ${TIERS[tier]}, ${seconds} s, ${test.file}: ${test.name}${place}`;
}

/** The outcomes as they are printed at the end. */
export const outcomeTable = (outcomes: readonly Outcome[]): string =>
  table(
    ["mistake", "in", "found by", "after", "test", "names the place"],
    outcomes.map(({ damage, tier, seconds, test, namesPlace, defect }) => [
      plain(damage.name),
      `\`${damage.file}\``,
      tier === undefined ? (defect ?? "nothing") : `\`${TIERS[tier]}\``,
      `${seconds} s`,
      test === undefined ? "" : `\`${test.file.replace(/^tests\//, "")}\`: ${plain(oneLine(test.name))}`,
      namesPlace ? "yes" : "no",
    ]),
  );

const oneLine = (name: string): string =>
  name.replaceAll(/\s+/g, " ").replaceAll(/[*_[\]#]/g, String.raw`\$&`);

/** The page that says which mistakes the tests find. */
export function damagesPage(outcomes: readonly Outcome[], whole: boolean): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const named = outcomes.filter(({ namesPlace }) => namesPlace).length;
  const ran = whole
    ? "whole tiers, each up to its first failed file"
    : "the tests that the list expects to find it";
  return page(
    "# Mistakes that the tests find",
    `\`npm run damages -- --write\` makes this page. It plants one mistake at a time that a person could make, in a copy of the repository, builds it and runs ${ran}.
The list is in [\`tools/damages/list\`](../tools/damages/list). A mistake that no tier finds is a gap in the tests: the command then ends with exit code 1.`,
    "```sh\nnpm run damages                     # all of them\nnpm run damages -- limiter          # those with this text in their name or file\nnpm run damages -- --whole --shard 1/4 # whole tiers, a quarter of the list\n```",
    `**${countsOf(outcomes)}**; the test's name or message names the place of ${named}. Measured on ${date} (${machine}); the time is from the change to the end of
the tests, with the build.`,
    ...Object.entries(PARTS).flatMap(([part, heading]) => [
      `## ${heading}`,
      outcomeTable(outcomes.filter(({ damage }) => partOf(damage) === part)),
    ]),
  );
}
