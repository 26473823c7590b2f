import { availableParallelism } from "node:os";
import { page, plain, table } from "../reference/markdown";
import type { Outcome } from "./search";
import { TIERS } from "./tests";

/** The page of a run of all. */
export const DAMAGES_PAGE = "docs/damages.md";

/** How many damages each tier found. `npm test` has all tests of the other tier, too. */
export const countsOf = (outcomes: readonly Outcome[]): string =>
  `${outcomes.filter(({ tier }) => tier !== undefined).length} of ${outcomes.length} found by ${TIERS.test}, ` +
  `${outcomes.filter(({ tier }) => tier === "quick").length} by ${TIERS.quick}`;

/** A row for each damage. */
export const tableOf = (outcomes: readonly Outcome[]): string =>
  table(
    ["mistake", "in", "found by", "after", "test", "names the place"],
    outcomes.map(({ damage, tier, seconds, test, namesPlace }) => [
      damage.name,
      `\`${damage.file}\``,
      tier === undefined ? "**nothing**" : `\`${TIERS[tier]}\``,
      `${seconds} s`,
      test === undefined ? "" : plain(`${test.file.replace(/^tests\//, "")}: ${inMarkdown(test.name)}`),
      namesPlace ? "yes" : "no",
    ]),
  );

const inMarkdown = (name: string): string =>
  name.replaceAll(/\s+/g, " ").replaceAll(/[*_[\]#]/g, String.raw`\$&`);

/** The page that says which mistakes the tests find. */
export function damagesPage(outcomes: readonly Outcome[], isWhole: boolean): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const ran = isWhole ? "whole tiers, up to the first file that fails" : "the tests that should find it";
  return page(
    "# Mistakes that the tests find",
    `\`npm run damages -- --write\` makes this page. It plants the mistakes of [\`tools/damages/list\`](../tools/damages/list), which a person could make, one at a time in
a copy of the repository, builds it, and runs ${ran}. A mistake that no test finds is a gap in the tests, and the exit code is 1.`,
    "```sh\nnpm run damages -- limiter             # those with this text in their name or file\nnpm run damages -- --whole --shard 1/4 # with whole tiers, a quarter of them\n```",
    `**${countsOf(outcomes)}**, and of ${outcomes.filter(({ namesPlace }) => namesPlace).length} the failed test names the place. Measured on ${date} on
${machine}, from the change to the end of the tests.`,
    tableOf(outcomes),
  );
}
