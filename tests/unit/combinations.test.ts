import { readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { peerDependencies } from "../../provider/package.json";
import {
  COMBINATION_NAMES,
  COMBINATIONS,
  type CombinationResult,
} from "../../tools/combinations/combination";
import { versionsPage, versionsTable } from "../../tools/combinations/page";
import { readResults } from "../../tools/combinations/results";

test("every combination has a result, of the version of Node that it wants, and no check failed", () => {
  const results = readResults();
  expect(results.map(({ combination }) => combination)).toEqual(COMBINATION_NAMES);
  expect(results.filter(({ failed }) => failed !== undefined)).toEqual([]);
  for (const { combination, node } of results)
    expect(COMBINATIONS).toHaveProperty([combination, "node"], String(semver.major(node)));
});

test("the combinations have the oldest SDK of the peer range, and the one of this repository", () => {
  const sdks: readonly string[] = Object.values(COMBINATIONS).map(({ sdk }) => sdk);
  expect(sdks).toContain(semver.minVersion(peerDependencies["@pulumi/pulumi"])?.version);
  const root = path.resolve(__dirname, "../../package.json");
  const { devDependencies } = JSON.parse(readFileSync(root, "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(sdks).toContain(devDependencies["@pulumi/pulumi"]);
});

test("a failed check is shown in the tables, and not among what ran", () => {
  const passed = {
    node: "20.20.2",
    sdk: "3.248.0",
    typescript: "6.0.3",
    cli: "3.259.0",
    platform: "linux x64",
  };
  const result: CombinationResult = {
    combination: "node-20",
    ...passed,
    date: "2026-01-31",
    passed: ["one"],
    failed: "two",
  };
  expect(versionsTable([result])).toContain("| two failed |");
  const text = versionsPage([result]);
  expect(text).toContain("| two failed |");
  expect(text.split("What ran in each combination:")[1]?.trim()).toBe("- one");
});
