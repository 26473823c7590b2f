import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { temporaryFolder } from "../../testkit/folder";
import { onEnd } from "../../testkit/started";
import type { Install } from "../../tools/pulumi-cli/download";
import { providePulumi } from "../../tools/pulumi-cli/provision";
import { pinnedVersion } from "../../tools/pulumi-cli/release";

const PROGRAMS = ["pulumi", "pulumi-language-nodejs"];
const PINNED = `echo v${pinnedVersion}`;

async function writeScript(directory: string, name: string, ...lines: string[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const file = path.join(directory, name);
  await writeFile(file, ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(file, 0o755);
}

const installCli = async (directory: string, line: string, names = PROGRAMS): Promise<void> => {
  for (const name of names) await writeScript(directory, name, line);
};

const download: Install = (_, root) => installCli(path.join(root, "bin"), PINNED);
const NO_NETWORK: Install = () => Promise.reject(new Error("no network here"));

/** A machine whose PATH has only scripts, on a closed network. */
async function newMachine() {
  const root = await temporaryFolder("pulumi-cli");
  const [bin, log] = [path.join(root, "bin"), path.join(root, "builds")];
  await mkdir(bin);
  const folder = path.join(root, "cache", `pulumi-${pinnedVersion}`);
  const env = { PATH: bin, DATAPIPES_TOOLS_CACHE: path.join(root, "cache") };
  const lines: string[] = [];
  const provide = (install = NO_NETWORK, more: NodeJS.ProcessEnv = {}) =>
    providePulumi({ env: { ...env, ...more }, install, report: (line) => lines.push(line) });
  return {
    ...{ bin, folder, env, lines, provide },
    refusal: () => provide().then(() => "", String),
    /** A Go that "compiles" programs that print the pinned version, and notes each build. */
    installGo: () =>
      writeScript(
        bin,
        "go",
        'if [ "$1" = env ]; then echo go1.99.0; echo local; exit 0; fi',
        'for last; do :; done; while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done',
        `echo "\${last##*/}" >> "${log}"; /bin/sleep 0.2`,
        `printf '#!/bin/sh\\n${PINNED}\\n' > "$out"; /bin/chmod +x "$out"`,
      ),
    builds: async () => (await readFile(log, "utf8")).trim().split("\n"),
    cached: async () => (await readdir(folder, { recursive: true }).catch(() => [])).sort(),
  };
}

test("takes a CLI on PATH before anything else", async () => {
  const { bin, provide, lines, cached } = await newMachine();
  await installCli(bin, "echo v3.254.0", [...PROGRAMS, "pulumi-resource-pulumi-nodejs"]);
  const binary = path.join(bin, "pulumi");
  expect(await provide()).toMatchObject({ version: "3.254.0", binary, source: "path", directories: [] });
  expect([lines, await cached()]).toEqual([["pulumi 3.254.0 (on PATH)"], []]);
});

test.each([
  ["echo v3.253.9", "is version 3.253.9, and >=3.254.0 <4 is needed"],
  ["echo v4.0.0", "is version 4.0.0, and >=3.254.0 <4 is needed"],
  ["echo kaputt >&2; exit 3", "does not run: kaputt"],
  ["echo hello", 'does not tell its version: "hello"'],
  ["echo v3.260.0", "has no pulumi-language-nodejs beside it or on PATH"],
])("does not take a CLI on PATH that runs `%s`", async (line, reason) => {
  const { bin, refusal } = await newMachine();
  await writeScript(bin, "pulumi", line);
  expect(await refusal()).toContain(`PATH: ${path.join(bin, "pulumi")} ${reason}`);
});

test("downloads the pinned version once, where that source is allowed", async () => {
  const { provide, installGo, lines } = await newMachine();
  const install = jest.fn(download);
  const first = await provide(install);
  expect(first).toMatchObject({ version: pinnedVersion, source: "download" });
  expect(await provide(install)).toMatchObject({ binary: first.binary, source: "download" });
  expect(install).toHaveBeenCalledTimes(1);
  expect(lines.at(-1)).toBe(`pulumi ${pinnedVersion} (cached download)`);
  await installGo();
  expect(await provide(install, { DATAPIPES_PULUMI_SOURCES: "path, go" })).toMatchObject({ source: "go" });
});

test("builds the CLI with Go, once for two runs at the same time", async () => {
  const { provide, installGo, folder, builds, cached } = await newMachine();
  await installGo();
  const [cli, other] = await Promise.all([provide(), provide()]);
  const directories = [path.join(folder, "bin")];
  expect(cli).toMatchObject({ version: pinnedVersion, source: "go", directories });
  expect([other.binary, await builds()]).toEqual([cli.binary, PROGRAMS.toReversed()]);
  const built = [...PROGRAMS, "pulumi-resource-pulumi-nodejs"].map((name) => `bin/${name}`);
  expect(await cached()).toEqual(expect.arrayContaining(built));
  const module = await readFile("tools/pulumi-cli/go/cli/go.mod", "utf8");
  expect(module).toContain(`\tgithub.com/pulumi/pulumi/pkg/v3 v${pinnedVersion} `);
});

test("one message lists what was tried, each with its reason, and what to install", async () => {
  const { refusal } = await newMachine();
  expect((await refusal()).split("\n")).toEqual([
    "PulumiUnavailableError: No Pulumi CLI could be provided. Tried:",
    "  - PATH: no pulumi on PATH",
    "  - download: no network here",
    "  - Go build: no go on PATH",
    expect.stringMatching(
      /^Install the Pulumi CLI, 3\.254\.0 or newer, or Go, 1\.\d+\.\d+ or newer, and try again\.$/,
    ),
  ]);
});

test("`npm run pulumi` runs the CLI where npm was called, with its arguments, stdin and exit code", async () => {
  const { bin, env } = await newMachine();
  const isVersion = 'if [ "$1" = version ]; then echo v3.260.0; exit; fi';
  await installCli(bin, `${isVersion}; read line; echo "$# $2 $line $PWD"; exit 42`);
  const main = path.resolve("tools/pulumi-cli/main.ts");
  const args = ["--require", require.resolve("ts-node/register"), main, "up", "a b", "--yes"];
  const ofNpm = { npm_lifecycle_event: "pulumi", INIT_CWD: bin };
  const child = spawn(process.execPath, args, { env: { ...env, ...ofNpm } });
  onEnd(() => Promise.resolve(child.kill("SIGKILL")));
  child.stdin.end("typed\n");
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<[number]>]);
  expect([stdout, code]).toEqual([`3 a b typed ${bin}\n`, 42]);
});
