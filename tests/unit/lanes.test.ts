import { readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { peerDependencies } from "../../provider/package.json";
import { LANE_NAMES, LANES, type LaneResult } from "../../tools/lanes/lane";
import { lanesPage, versionsTable } from "../../tools/lanes/page";
import { readResults } from "../../tools/lanes/results";

test("every lane has a result, of the version of Node that it wants, and no check failed", () => {
  const results = readResults();
  expect(results.map(({ lane }) => lane)).toEqual(LANE_NAMES);
  expect(results.filter(({ failed }) => failed !== undefined)).toEqual([]);
  for (const { lane, node } of results)
    expect(LANES).toHaveProperty([lane, "node"], String(semver.major(node)));
});

test("a lane runs the oldest SDK of the peer range, and the one of this repository", () => {
  const sdks: readonly string[] = Object.values(LANES).map(({ sdk }) => sdk);
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
  const result: LaneResult = {
    lane: "node-20",
    ...passed,
    date: "2026-01-31",
    passed: ["one"],
    failed: "two",
  };
  expect(versionsTable([result])).toContain("| two failed |");
  const text = lanesPage([result]);
  expect(text).toContain("| two failed |");
  expect(text.split("What a lane ran:")[1]?.trim()).toBe("- one");
});
