import { readFileSync } from "node:fs";
import path from "node:path";
import { version as ofProvider } from "../../provider/package.json";
import { version as ofSimulator } from "../../simulator/package.json";

const rangesIn = (folder: string): readonly string[] => {
  const text = readFileSync(path.join(__dirname, "../..", folder, "package.json"), "utf8");
  return [...text.matchAll(/"pulumi-datapipes(?:-simulator)?": "([^"]+)"/g)].map(([, range = ""]) => range);
};

test("both packages have one version", () => {
  expect(ofProvider).toBe(ofSimulator);
});

test("the template asks for the same versions as the examples", () => {
  const [range] = rangesIn("examples/quickstart");
  const ranges = rangesIn("templates/datapipes-typescript");
  expect(ranges.length).toBeGreaterThan(0);
  expect(new Set(ranges)).toEqual(new Set([range]));
});
