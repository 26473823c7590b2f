import { page, table } from "../reference/markdown";
import { LANES, type LaneResult } from "./lane";

/** The page of all lanes. */
export const LANES_PAGE = "docs/lanes.md";

const outcome = ({ failed }: LaneResult): string => (failed === undefined ? "passed" : `${failed} failed`);

/** The page that says what each lane ran, and when. */
export function lanesPage(results: readonly LaneResult[]): string {
  const head = ["lane", "Node", "`@pulumi/pulumi`", "TypeScript", "CLI", "system", "when", "result"];
  const rows = results.map((result) => {
    const { lane, node, sdk, typescript, cli, platform, date } = result;
    return [`\`${lane}\``, node, sdk, typescript, cli, platform, date, outcome(result)];
  });
  return page(
    "# Lanes",
    `\`npm run lanes\` makes this page. Each lane packs the provider and the simulator, installs them into an empty folder with the versions of the table, and
runs a program in TypeScript there, on the real CLI, against the simulator. Node comes from npm's registry. \`npm run lanes -- node-22\` runs one lane.`,
    table(head, rows),
    `The lanes: ${Object.entries(LANES)
      .map(([name, { node, sdk }]) => `Node ${node} with \`@pulumi/pulumi@${sdk}\` (\`${name}\`)`)
      .join(", ")}.`,
    `A CLI that is a Go build has the [language host 3.68.0](decisions/0002-pulumi-cli.md), the last one that is a Go module.`,
    "What a lane ran:",
    ranBy(results)
      .map((check) => `- ${check}`)
      .join("\n"),
  );
}

/** The checks that all of the lanes passed. */
const ranBy = ([first, ...others]: readonly LaneResult[]): readonly string[] =>
  (first?.passed ?? []).filter((check) => others.every(({ passed }) => passed.includes(check)));

/** The short table for the README. */
export const versionsTable = (results: readonly LaneResult[]): string =>
  table(
    ["Node", "`@pulumi/pulumi`", "Pulumi CLI", "when", "result"],
    results.map((result) => [result.node, result.sdk, result.cli, result.date, outcome(result)]),
  );
