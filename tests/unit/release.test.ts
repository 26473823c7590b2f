import { readFileSync } from "node:fs";
import path from "node:path";
import { fixed } from "../../.changeset/config.json";
import { version as ofProvider } from "../../provider/package.json";
import { version as ofSimulator } from "../../simulator/package.json";

const rangesIn = (folder: string): readonly string[] => {
  const text = readFileSync(path.join(__dirname, "../..", folder, "package.json"), "utf8");
  return [...text.matchAll(/"pulumi-datapipes(?:-simulator)?": "([^"]+)"/g)].map(([, range = ""]) => range);
};

test("both packages have one version, also after a change of one of them", () => {
  expect(ofProvider).toBe(ofSimulator);
  expect(fixed).toEqual([["pulumi-datapipes", "pulumi-datapipes-simulator"]]);
});

test("the template asks for the same versions as the examples", () => {
  const [range] = rangesIn("examples/quickstart");
  const ranges = rangesIn("templates/datapipes-typescript");
  expect(ranges.length).toBeGreaterThan(0);
  expect(new Set(ranges)).toEqual(new Set([range]));
});
