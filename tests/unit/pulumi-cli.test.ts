import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../kit/cleanup";
import { goModule } from "../../scripts/pulumi-cli/go/build";
import { providePulumi } from "../../scripts/pulumi-cli/provision";
import { pinnedVersion } from "../../scripts/pulumi-cli/release";

/** A machine whose PATH has only these programs, each with a line of shell. */
async function newMachine(programs: Readonly<Record<string, string>>) {
  const root = await temporaryFolder("pulumi-cli");
  const bin = path.join(root, "bin");
  const home = path.join(root, "home");
  const cache = path.join(root, "cache");
  await mkdir(bin);
  for (const [name, line] of Object.entries(programs))
    await writeFile(path.join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const env = { PATH: bin, PULUMI_HOME: home, DATAPIPES_TOOLS_CACHE: cache };
  const lines: string[] = [];
  const provide = () => providePulumi({ env, report: (each) => lines.push(each) });
  return { bin, home, cache, lines, provide, refusal: () => provide().then(() => "", String) };
}

test("takes a CLI on PATH before anything else", async () => {
  const names = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  const programs = Object.fromEntries(names.map((name) => [name, "echo v3.254.0"]));
  const { bin, cache, provide, lines } = await newMachine(programs);
  const binary = path.join(bin, "pulumi");
  const cli = await provide();
  expect(cli).toMatchObject({ version: "3.254.0", binary, source: "path" });
  expect(cli.environment({ PATH: bin })["PATH"]).toBe(bin);
  expect(lines).toEqual(["pulumi 3.254.0 (on PATH)"]);
  expect(await readdir(cache).catch(() => [])).toEqual([]);
});

test.each([
  ["echo v3.253.9", "is version 3.253.9, and >=3.254.0 <4 is needed"],
  ["echo v4.0.0", "is version 4.0.0, and >=3.254.0 <4 is needed"],
  ["echo kaputt >&2; exit 3", "does not run: kaputt"],
  ["echo hello", 'does not tell its version: "hello"'],
  ["echo v3.260.0", "has no pulumi-language-nodejs beside it or on PATH"],
])("does not take a CLI on PATH that runs `%s`", async (line, reason) => {
  const { bin, refusal } = await newMachine({ pulumi: line });
  expect(await refusal()).toContain(`PATH: ${path.join(bin, "pulumi")} ${reason}`);
});

/** What the npm package does, in the arguments `--yes pulumi@<version> version`. */
const npx = `folder="$PULUMI_HOME/versions/\${2#pulumi@}/bin"; /bin/mkdir -p "$folder"; echo > "$folder/pulumi"`;

test("without a CLI on PATH, takes the release that the npm package `pulumi` downloads once", async () => {
  const { bin, home, provide, lines } = await newMachine({ npx, go: "exit 1" });
  const expected = { binary: path.join(home, "versions", pinnedVersion, "bin/pulumi"), source: "npm" };
  expect(await provide()).toMatchObject({ version: pinnedVersion, ...expected });
  await rm(bin, { recursive: true });
  expect(await provide()).toMatchObject(expected);
  const used = `pulumi ${pinnedVersion} (npm package pulumi)`;
  expect(lines).toEqual([`npx pulumi@${pinnedVersion} downloads the Pulumi CLI`, used, used]);
});

test("one message lists what was tried, each with its reason, and what to install", async () => {
  const { refusal } = await newMachine({ npx: "echo pulumi: fetch failed >&2; exit 1" });
  expect((await refusal()).split("\n")).toEqual([
    "Error: No Pulumi CLI could be provided. Tried:",
    "  - PATH: no pulumi on PATH",
    "  - npm package pulumi: pulumi: fetch failed",
    "  - Go build: no go on PATH",
    "Install the Pulumi CLI, 3.254.0 or newer, and try again.",
  ]);
});

/** Go, in the arguments `build -v -o <file>`. */
const go = 'case "$1" in list) echo shared; echo "$PWD" ;; build) echo "$PWD" >&2; echo > "$4" ;; esac';

test("a Go build says how many packages that Go's cache lacks are compiled, each counted once", async () => {
  const { lines, provide } = await newMachine({ go });
  expect(await provide()).toMatchObject({ version: pinnedVersion, source: "go" });
  expect(lines).toContainEqual(
    expect.stringMatching(/^building the Pulumi CLI with Go: \d+ s, 2 of about 3 packages$/),
  );
});

test("of two runs at once, the second one waits for the build of the first one", async () => {
  const { lines, provide } = await newMachine({ go: `${go}; /bin/sleep 0.2` });
  const [first, second] = await Promise.all([provide(), provide()]);
  expect(second.binary).toBe(first.binary);
  expect(lines.filter((line) => line.includes("2 of about 3 packages"))).toHaveLength(1);
});

test.each(["language-host", "go-host", "companions", "java-and-csharp"])(
  "the modules of CLI and %s pin one version of what both need, except Pulumi itself",
  async (module) => {
    const [cli, others] = await Promise.all([versionsIn("cli"), versionsIn(module)]);
    expect(cli.get("github.com/pulumi/pulumi/pkg/v3")).toBe(`v${pinnedVersion}`);
    const different = [...others].filter(([name, version]) => (cli.get(name) ?? version) !== version);
    expect(different.filter(([name]) => !name.startsWith("github.com/pulumi/"))).toEqual([]);
  },
);

async function versionsIn(module: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(goModule(module), "go.mod"), "utf8");
  const lines = text.matchAll(/^(?:\t|replace .* => )(?<name>\S+) (?<version>v\S+)/gm);
  return new Map(Array.from(lines, ([, name = "", version = ""]) => [name, version]));
}
