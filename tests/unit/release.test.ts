import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { parse } from "yaml";
import { peerDependencies } from "../../provider/package.json";
import { COMBINATION_NAMES, COMBINATIONS } from "../../tools/combinations/combination";
import { readResults } from "../../tools/combinations/results";
import { addressOf, fillManifests, packageFolders, root, withAddress } from "../../tools/release/address";
import { isDated, sectionOf, withSection, type Change } from "../../tools/release/changelog";
import { planFor } from "../../tools/release/plan";
import { releaseCommand } from "../../tools/release/plugin";
import { rangeOf, withRange } from "../../tools/release/version";

const textOf = (...file: string[]): string => readFileSync(path.join(root, ...file), "utf8");
const manifestOf = (folder: string) =>
  JSON.parse(textOf(folder, "package.json")) as {
    private?: boolean;
    devDependencies: Record<string, string>;
  };

const provider = (type: string) => ({ name: "pulumi-datapipes", type });
const simulator = (type: string) => ({ name: "pulumi-datapipes-simulator", type });

test("a section of the changelog has the headings of Keep a Changelog, the date, and the name of the simulator on its own lines", () => {
  const changes: Change[] = [
    { summary: "A pipe that waits ends.", packages: [provider("patch")] },
    {
      summary: "`Pipe` reads from queues:\n\n- one,\n- two.",
      packages: [provider("minor"), simulator("patch")],
    },
    { summary: "Changed: Node 22 is needed.", packages: [provider("patch")] },
    { summary: "The page has a search.", packages: [simulator("minor")] },
  ];
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
  const [text, earlier] = ["# Changelog\n\nText.\n\n", "## [0.1.0] - 2026-01-01\n\n- One.\n"];
  const section = "## [0.2.0] - 2026-01-31\n\n- Two.";
  expect(withSection(`${text}${earlier}`, section)).toBe(`${text}${section}\n\n${earlier}`);
  expect(() => withSection("# Changelog\n", "## x")).toThrow("no section yet");
});

test("only a date releases a version, and changesets ask for the next one after that", () => {
  const [dated, undated] = ["## [0.1.0] - 2026-01-31\n", "## [0.1.0] - unreleased\n"];
  expect([isDated(undated, "0.1.0"), isDated(dated, "0.1.0"), isDated(dated, "0.110")]).toEqual([
    false,
    true,
    false,
  ]);
  const actionFor = (changelog: string, published: boolean, changesets: number) =>
    planFor({ version: "0.1.0", changelog, published, changesets }).action;
  expect(actionFor(undated, false, 2)).toBe("nothing");
  expect(actionFor(dated, false, 2)).toBe("publish");
  expect(actionFor(dated, true, 1)).toBe("request");
  expect(actionFor(dated, true, 0)).toBe("nothing");
});

test("both packages have one version, and the template asks for the same versions as the examples", () => {
  const { fixed } = JSON.parse(textOf(".changeset/config.json")) as { fixed: string[][] };
  expect(fixed).toEqual([["pulumi-datapipes", "pulumi-datapipes-simulator"]]);
  const template = textOf("templates/datapipes-typescript/package.json");
  expect(rangeOf(template)).toBe(rangeOf(textOf("examples/quickstart/package.json")));
  expect(rangeOf(withRange(template, "^9.9.9"))).toBe("^9.9.9");
});

test("every package that can be published has its address from repository.json, or none while that is empty", () => {
  expect(fillManifests({ check: true })).toEqual([]);
  const folders = readdirSync(root).filter((name) => existsSync(path.join(root, name, "package.json")));
  const publishable = folders.filter((name) => manifestOf(name).private !== true);
  expect(publishable.sort()).toEqual(packageFolders.filter((folder) => folder !== ".").sort());
});

test("an address becomes repository, homepage and bugs, and an empty one takes them away", () => {
  const url = "https://github.com/owner/name";
  const address = addressOf(url, "provider");
  const repository = { type: "git", url: `git+${url}.git`, directory: "provider" };
  expect(address).toEqual({ homepage: `${url}#readme`, bugs: { url: `${url}/issues` }, repository });
  const manifest = `${JSON.stringify({ name: "a", license: "MIT", main: "b" }, null, 2)}\n`;
  const filled = withAddress(manifest, address);
  expect(JSON.parse(filled)).toEqual({ ...(JSON.parse(manifest) as object), ...address });
  expect(withAddress(filled, address)).toBe(filled);
  expect(withAddress(filled, addressOf(undefined, "provider"))).toBe(manifest);
});

test("a release of the plugin has all files at once, or completes that of an earlier try, after the tag", () => {
  const files = ["a.tar.gz", "SHA256SUMS"];
  const create = releaseCommand("v1.2.3", files, { exists: false });
  expect(create.slice(0, 6)).toEqual(["release", "create", "v1.2.3", ...files, "--verify-tag"]);
  const upload = ["release", "upload", "v1.2.3", ...files, "--clobber"];
  expect(releaseCommand("v1.2.3", files, { exists: true })).toEqual(upload);
  const { jobs } = parse(textOf(".github/workflows/release.yml")) as {
    jobs: { tag: { steps: { run?: string }[] } };
  };
  const commands = ["ci --ignore-scripts", "run release:tag", "run pack:plugin", "run release:plugin"];
  expect(jobs.tag.steps.flatMap(({ run }) => run ?? [])).toEqual(commands.map((each) => `npm ${each}`));
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
