import { readdir } from "node:fs/promises";
import path from "node:path";
import { repository, textOf } from "../../scripts/made-files";
import { record, SCENARIO_NAMES } from "../../scripts/recordings/scenarios";

const folder = "docs/recordings";

/** The lines of a text, sorted: Pulumi shows resources that do not depend on each other in any order. */
const linesOf = (text: string): string[] => text.replaceAll("└─", "├─").split("\n").sort();

test("docs/recordings has the recordings of all scenarios, as the CLI shows them now", async () => {
  const recorded = await record(SCENARIO_NAMES);
  expect([...recorded.keys()].sort()).toEqual((await readdir(path.join(repository, folder))).sort());
  for (const [name, text] of recorded)
    expect(linesOf(text)).toEqual(linesOf(await textOf(`${folder}/${name}`)));
});
