import { belongsTo, type Observation, type Preview } from "./observation";
import { chosen, endpointRows, pipeRows, settingsRows, type Row } from "./rows";
import { violationsOfSettings } from "./settings-rules";
import { StackOfRows } from "./stack-of-rows";
import { violationsOfPipe, remainingSteps } from "./pipe-rules";

/** `DATAPIPES_MATRIX_ROWS=<expression>` runs the rows whose names match; `npm run test:all` has every combination. */
const rows: Row[] = chosen([...pipeRows(), ...endpointRows(), ...settingsRows()]);

/** The broken rules, one line for each row that breaks any. */
function table(
  all: StackOfRows,
  runs: { second: Observation; third: Observation; refreshed: Preview },
): string {
  const violations = rows.map((row) => [row, violationsOf(row, all, runs)] as const);
  const broken = violations.filter(([, found]) => found.length > 0);
  const width = Math.max(0, ...broken.map(([{ name }]) => name.length));
  const lines = broken.map(
    ([{ name }, found]) => `${name.padEnd(width)}  ${shortened([...new Set(found)].join("; "))}`,
  );
  return lines.length === 0
    ? ""
    : `${lines.length} of ${rows.length} rows are broken:\n${lines.join("\n")}\n`;
}

/** With the start of each id, which is enough to distinguish them. */
const shortened = (text: string): string =>
  text.replaceAll(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "$1");

function violationsOf(row: Row, all: StackOfRows, runs: Parameters<typeof table>[1]): string[] {
  const of = (run: Observation, version: 2 | 3): string[] =>
    row.kind === "ServiceSettings"
      ? violationsOfSettings(row, all.placeOf(row), run, version)
      : violationsOfPipe(row, run, version);
  const refreshed = remainingSteps(runs.refreshed.steps, (name) => belongsTo(row, name));
  const second = of(runs.second, 2);
  // After a broken rule, later runs of the row prove nothing.
  if (second.length > 0) return second;
  return [
    ...of(runs.third, 3).map((violation) => `then ${violation}`),
    ...refreshed.map((violation) => `after a refresh ${violation}`),
  ];
}

test(`deletes no pipe without a policy, and previews every delete and every second resource, in ${rows.length} rows`, async () => {
  const all = await StackOfRows.deploy(rows);
  await all.changeDefaults("changed");
  const second = await all.run(2);
  const third = await all.run(3);
  const refreshed = await all.preview(["--refresh"]);
  expect(table(all, { second, third, refreshed })).toBe("");
});
