import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../kit/cleanup";
import { goModule } from "../../scripts/pulumi-cli/go";
import { reportTo } from "../../scripts/pulumi-cli/progress";
import { providePulumi } from "../../scripts/pulumi-cli/provision";
import { pinnedVersion } from "../../scripts/pulumi-cli/release";

/** A machine whose PATH has only programs that run one line. */
async function newMachine(line: string, ...programs: readonly string[]) {
  const root = await temporaryFolder("pulumi-cli");
  const bin = path.join(root, "bin");
  const cache = path.join(root, "cache");
  await mkdir(bin);
  for (const name of programs) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  const lines: string[] = [];
  const provide = () =>
    providePulumi({
      env: { PATH: bin, DATAPIPES_TOOLS_CACHE: cache },
      report: (each) => lines.push(each),
    });
  return { bin, cache, lines, provide, refusal: () => provide().then(() => "", String) };
}

test("takes a CLI on PATH before anything else", async () => {
  const programs = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  const { bin, cache, provide, lines } = await newMachine("echo v3.254.0", ...programs);
  const binary = path.join(bin, "pulumi");
  expect(await provide()).toMatchObject({ version: "3.254.0", binary, source: "path", directories: [] });
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
  const { bin, refusal } = await newMachine(line, "pulumi");
  expect(await refusal()).toContain(`PATH: ${path.join(bin, "pulumi")} ${reason}`);
});

test("one message lists what was tried, each with its reason, and what to install", async () => {
  const { refusal } = await newMachine("");
  expect((await refusal()).split("\n")).toEqual([
    "Error: No Pulumi CLI could be provided. Tried:",
    "  - PATH: no pulumi on PATH",
    "  - download: no curl on PATH",
    "  - Go build: no go on PATH",
    expect.stringMatching(
      /^Install the Pulumi CLI, 3\.254\.0 or newer, or Go, 1\.\d+\.\d+ or newer, and try again\.$/,
    ),
  ]);
});

test("a Go build says how many packages that Go's cache lacks are compiled, each counted once", async () => {
  const go = 'case "$1" in list) echo shared; echo "$PWD" ;; build) echo "$PWD" >&2 ;; esac';
  const { lines, refusal } = await newMachine(go, "go");
  await refusal();
  expect(lines).toContainEqual(
    expect.stringMatching(/^building the Pulumi CLI with Go: \d+ s, 2 of about 3 packages$/),
  );
});

test.each([
  [true, "\r1 of 2\u001B[K\r2 of 2\u001B[K\rdone\u001B[K\n"],
  [false, "1 of 2\n2 of 2\ndone\n"],
])("progress stands on one line in a terminal, and else on one line each: %s", (isTTY, text) => {
  let written = "";
  const report = reportTo({ isTTY, write: (part: string) => (written += part) !== "" });
  report("1 of 2", true);
  report("2 of 2", true);
  report("done");
  expect(written).toBe(text);
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
