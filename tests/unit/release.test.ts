import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { peerDependencies } from "../../provider/package.json";
import { COMBINATION_NAMES, COMBINATIONS } from "../../tools/combinations/combination";
import { readResults } from "../../tools/combinations/results";
import { fillManifests, packageFolders, root } from "../../tools/release/address";
import { sectionOf, withSection, type Change } from "../../tools/release/changelog";
import { planFor } from "../../tools/release/plan";
import { rangeOf } from "../../tools/release/version";

const textOf = (...file: string[]): string => readFileSync(path.join(root, ...file), "utf8");
const manifestOf = (folder: string) =>
  JSON.parse(textOf(folder, "package.json")) as {
    private?: boolean;
    devDependencies: Record<string, string>;
  };

const NAME = "pulumi-datapipes";
const provider = (type: string) => ({ name: NAME, type });

test("a release puts its section above the earlier ones, with the headings of Keep a Changelog, the date, and the simulator's name", () => {
  const changes: Change[] = [
    { summary: "`Pipe` reads from queues:\n\n- one,\n- two.", packages: [provider("minor")] },
    { summary: "Changed: Node 22 is needed.", packages: [provider("patch")] },
    { summary: "The page has a search.", packages: [{ ...provider("patch"), name: `${NAME}-simulator` }] },
  ];
  const section = sectionOf({ version: "0.2.0", date: "2026-01-31", changes });
  const [text, earlier] = ["# Changelog\n\nText.\n\n", "## [0.1.0] - 2026-01-01\n\n- One.\n"];
  expect(withSection(`${text}${earlier}`, section)).toBe(`${text}## [0.2.0] - 2026-01-31

### Added

- \`Pipe\` reads from queues:

  - one,
  - two.

### Changed

- Node 22 is needed.

### Fixed

- Simulator: The page has a search.

${earlier}`);
});

const [DATED, UNDATED] = ["## [0.1.0] - 2026-01-31\n", "## [0.1.0] - unreleased\n"];

test.each<[action: string, changelog: string, published: boolean, changesets: number]>([
  ["nothing", UNDATED, false, 2],
  ["nothing", DATED.replace(".0]", ".01]"), false, 2],
  ["publish", DATED, false, 2],
  ["request", DATED, true, 1],
  ["nothing", DATED, true, 0],
])(
  "the release workflow does: %s, with the changelog %j, published: %p, and %d changesets",
  (action, ...facts) => {
    const [changelog, published, changesets] = facts;
    expect(planFor({ version: "0.1.0", changelog, published, changesets }).action).toBe(action);
  },
);

test("both packages have one version, and the template asks for the same versions as the examples", () => {
  const { fixed } = JSON.parse(textOf(".changeset/config.json")) as { fixed: string[][] };
  expect(fixed).toEqual([[NAME, `${NAME}-simulator`]]);
  const template = textOf("templates/datapipes-typescript/package.json");
  expect(rangeOf(template)).toBe(rangeOf(textOf("examples/quickstart/package.json")));
});

test("every package that can be published has its address from repository.json, or none while that is empty", () => {
  expect(fillManifests({ check: true })).toEqual([]);
  const folders = readdirSync(root).filter((name) => existsSync(path.join(root, name, "package.json")));
  const publishable = folders.filter((name) => manifestOf(name).private !== true);
  expect(publishable.sort()).toEqual(packageFolders.filter((folder) => folder !== ".").sort());
});

test("every combination of versions was tried, with the oldest SDK that is allowed and with ours, and no check failed", () => {
  const results = readResults();
  expect(results.map(({ combination }) => combination)).toEqual(COMBINATION_NAMES);
  expect(results.filter(({ failed }) => failed !== undefined)).toEqual([]);
  for (const { combination, node } of results)
    expect(COMBINATIONS).toHaveProperty([combination, "node"], String(semver.major(node)));
  const sdks: readonly string[] = Object.values(COMBINATIONS).map(({ sdk }) => sdk);
  expect(sdks).toContain(semver.minVersion(peerDependencies["@pulumi/pulumi"])?.version);
  expect(sdks).toContain(manifestOf(".").devDependencies["@pulumi/pulumi"]);
});
