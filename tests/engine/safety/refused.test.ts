import { errorsOf } from "./observation";
import { chosen, refusedRows, type Row } from "./rows";
import { StackOfRows } from "./stack-of-rows";

const isByConfiguration = ({ action }: Row): boolean => action === "defaults-changed";
const rows: Row[] = chosen(refusedRows()).sort(
  (one, other) => Number(isByConfiguration(one)) - Number(isByConfiguration(other)),
);

/** The rules that the refusal of a row breaks. */
async function violationsOf(all: StackOfRows, row: Row): Promise<string[]> {
  await all.write(2, [row]);
  const run = await all.stack.preview({ expectFailure: "either" });
  const errors = errorsOf(run);
  const requests = all.simulator.control.requests();
  all.simulator.control.clearRequests();
  return [
    ...(run.code === 0 ? ["the preview accepts it"] : []),
    ...(run.code !== 0 && !errors.has(row.name) ? [`the failure does not name it: ${run.output}`] : []),
    ...requests.map(({ method, path }) => `sent ${method} ${path}`),
  ];
}

test(`the preview refuses a second resource by default and sends nothing, in ${rows.length} rows`, async () => {
  const all = await StackOfRows.deploy(rows);
  const table: string[] = [];
  let changed = false;
  for (const row of rows) {
    if (isByConfiguration(row) && !changed) {
      await all.changeDefaults("changed");
      changed = true;
    }
    for (const violation of await violationsOf(all, row)) table.push(`${row.name}: ${violation}`);
  }
  expect(table.join("\n")).toBe("");
});
