import { page, table } from "../reference/markdown";
import { COMBINATIONS, type CombinationResult } from "./combination";

export const VERSIONS_PAGE = "docs/versions.md";

const outcome = ({ failed }: CombinationResult): string =>
  failed === undefined ? "passed" : `${failed} failed`;

/** The page that says which versions ran together, and when. */
export function versionsPage(results: readonly CombinationResult[]): string {
  const head = ["combination", "Node", "`@pulumi/pulumi`", "TypeScript", "CLI", "system", "when", "result"];
  const rows = results.map((result) => {
    const { combination, node, sdk, typescript, cli, platform, date } = result;
    return [`\`${combination}\``, node, sdk, typescript, cli, platform, date, outcome(result)];
  });
  return page(
    "# Tested versions",
    `\`npm run lanes\` makes this page. For each combination of versions it packs the provider and the simulator, installs them into an empty folder, and runs a
program in TypeScript there, on the real CLI, against the simulator. Node comes from npm's registry. \`npm run lanes -- node-22\` runs one combination.`,
    table(head, rows),
    `The table has the versions that ran. Those that are asked for: ${Object.entries(COMBINATIONS)
      .map(([name, { node, sdk }]) => `Node ${node} with \`@pulumi/pulumi@${sdk}\` (\`${name}\`)`)
      .join(", ")}.`,
    `A CLI that is a Go build has the [language host 3.68.0](decisions/0002-pulumi-cli.md), the last one that is a Go module.`,
    "What ran in each combination:",
    ranBy(results)
      .map((check) => `- ${check}`)
      .join("\n"),
  );
}

/** The checks that all of the combinations passed. */
const ranBy = ([first, ...others]: readonly CombinationResult[]): readonly string[] =>
  (first?.passed ?? []).filter((check) => others.every(({ passed }) => passed.includes(check)));

/** The short table for the README. */
export const versionsTable = (results: readonly CombinationResult[]): string =>
  table(
    ["Node", "`@pulumi/pulumi`", "Pulumi CLI", "when", "result"],
    results.map((result) => [result.node, result.sdk, result.cli, result.date, outcome(result)]),
  );
