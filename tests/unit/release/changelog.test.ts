import { readFileSync } from "node:fs";
import path from "node:path";
import { isDated, sectionOf, withSection, type Change } from "../../../tools/release/changelog";
import { planFor, type Facts } from "../../../tools/release/plan";
import { rangeOf, withRange } from "../../../tools/release/version";

const root = path.resolve(__dirname, "../../..");
const provider = (type: string) => ({ name: "pulumi-datapipes", type });
const simulator = (type: string) => ({ name: "pulumi-datapipes-simulator", type });

const changes: Change[] = [
  { summary: "A pipe that waits ends.", packages: [provider("patch")] },
  {
    summary: "`Pipe` reads from queues:\n\n- one,\n- two.",
    packages: [provider("minor"), simulator("patch")],
  },
  { summary: "Changed: Node 22 is needed.", packages: [provider("patch")] },
  { summary: "The page has a search.", packages: [simulator("minor")] },
];

test("a section has the headings of Keep a Changelog, the date, and the name of the simulator on its own lines", () => {
  expect(sectionOf({ version: "0.2.0", date: "2026-01-31", changes })).toBe(`## [0.2.0] - 2026-01-31

### Added

- \`Pipe\` reads from queues:

  - one,
  - two.
- Simulator: The page has a search.

### Changed

- Node 22 is needed.

### Fixed

- A pipe that waits ends.`);
});

test("a section is put above those of the earlier versions, which stay as they are", () => {
  const changelog = "# Changelog\n\nText.\n\n## [0.1.0] - 2026-01-01\n\n- One.\n";
  expect(withSection(changelog, "## [0.2.0] - 2026-01-31\n\n- Two.")).toBe(
    "# Changelog\n\nText.\n\n## [0.2.0] - 2026-01-31\n\n- Two.\n\n## [0.1.0] - 2026-01-01\n\n- One.\n",
  );
  expect(() => withSection("# Changelog\n", "## x")).toThrow("no section yet");
});

test("only a date releases a version", () => {
  expect(isDated("## [0.1.0] - unreleased\n", "0.1.0")).toBe(false);
  expect(isDated("## [0.1.0] - 2026-01-31\n", "0.1.0")).toBe(true);
  expect(isDated("## [0.1.0] - 2026-01-31\n", "0.110")).toBe(false);
});

const facts: Facts = {
  version: "0.1.0",
  changelog: "## [0.1.0] - 2026-01-31\n",
  published: true,
  changesets: 0,
};

test.each<[string, Partial<Facts>, string]>([
  [
    "nothing for a version without a date",
    { changelog: "## [0.1.0] - unreleased\n", changesets: 2 },
    "nothing",
  ],
  ["publish for a dated version that the registry lacks", { published: false, changesets: 2 }, "publish"],
  ["request for changesets after a release", { changesets: 1 }, "request"],
  ["nothing when all is published", {}, "nothing"],
])("the plan is %s", (_, more, action) => {
  expect(planFor({ ...facts, ...more }).action).toBe(action);
});

test("the template asks for the same versions of our packages as the examples", () => {
  const manifest = (folder: string) => readFileSync(path.join(root, folder, "package.json"), "utf8");
  const template = manifest("templates/datapipes-typescript");
  expect(rangeOf(template)).toBe(rangeOf(manifest("examples/quickstart")));
  expect(rangeOf(withRange(template, "^9.9.9"))).toBe("^9.9.9");
});

test("both packages have one version, and changesets keeps it so", () => {
  const config = JSON.parse(readFileSync(path.join(root, ".changeset/config.json"), "utf8")) as {
    fixed: string[][];
  };
  expect(config.fixed).toEqual([["pulumi-datapipes", "pulumi-datapipes-simulator"]]);
});
