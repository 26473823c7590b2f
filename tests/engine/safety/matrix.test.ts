import { nameIn, type Preview } from "../plan";
import { violationsOfRules } from "./pipe-rules";
import { belongsTo, endpointRows, pipeRows, type Row } from "./rows";
import { StackOfRows, type Observation } from "./stack-of-rows";

const rows: Row[] = [...pipeRows(), ...endpointRows()];

/** The steps that a preview shows for a row that has nothing left to do. */
const remainingSteps = (row: Row, { steps }: Preview): string[] =>
  steps
    .filter(({ urn }) => urn.includes("datapipes:") && belongsTo(row, nameIn(urn)))
    .filter(({ op }) => !["same", "refresh", "read"].includes(op))
    .map(({ op }) => `the next preview shows ${op}`);

/** The rules that a run broke for a row. */
function violationsIn(row: Row, run: Observation, version: 2 | 3): string[] {
  const held = run.after.holders.filter(({ name }) => belongsTo(row, name)).length;
  return [
    ...[...run.errors].flatMap(([name, error]) => (belongsTo(row, name) ? [`failed: ${error}`] : [])),
    ...(held === (row.action === "removed" ? 0 : 1) ? [] : [`the state has ${held} resources of the row`]),
    ...violationsOfRules(row, run, version),
    ...remainingSteps(row, run.next),
  ];
}

test(`deletes no pipe without a policy, and previews each deletion, in ${rows.length} rows`, async () => {
  const all = await StackOfRows.deploy(rows);
  const second = await all.run(2);
  const third = await all.run(3);
  const refreshed = await all.preview(["--refresh"]);
  const violationsOf = (row: Row): string[] => {
    const found = violationsIn(row, second, 2);
    // After a broken rule, later runs of the row prove nothing.
    if (found.length > 0) return found;
    return [
      ...violationsIn(row, third, 3).map((violation) => `then ${violation}`),
      ...remainingSteps(row, refreshed).map((violation) => `after a refresh ${violation}`),
    ];
  };
  const broken = rows.map((row) => [row.name, [...new Set(violationsOf(row))]] as const);
  expect(broken.filter(([, violations]) => violations.length > 0)).toEqual([]);
});
