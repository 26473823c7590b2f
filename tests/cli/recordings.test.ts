import { readdir } from "node:fs/promises";
import path from "node:path";
import { repository, textOf } from "../../scripts/made-files";
import { record, SCENARIO_NAMES } from "../../scripts/recordings/scenarios";

const folder = "docs/recordings";
const recorded: string[] = [];

/** The lines of a text, sorted: Pulumi shows resources that do not depend on each other in any order. */
const linesOf = (text: string): string[] => text.replaceAll("└─", "├─").split("\n").sort();

test.each(SCENARIO_NAMES)(
  "the recordings of the scenario %s are what the CLI shows now",
  async (scenario) => {
    for (const [name, text] of await record([scenario])) {
      expect(linesOf(text)).toEqual(linesOf(await textOf(`${folder}/${name}`)));
      recorded.push(name);
    }
  },
);

test("the scenarios make all recordings", async () => {
  expect(recorded.sort()).toEqual((await readdir(path.join(repository, folder))).sort());
});
