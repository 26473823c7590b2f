import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onEnd } from "../../../testkit/started";
import type { Install } from "../../../tools/pulumi-cli/download";
import { pinnedVersion } from "../../../tools/pulumi-cli/release";
import { Machine } from "./machine";

const programs = ["pulumi", "pulumi-language-nodejs"];

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});

/** A download that brings these programs. */
const download =
  (names = programs, line = `echo v${pinnedVersion}`): Install =>
  async (_, root) => {
    for (const name of names) await machine.script(path.join(root, "bin"), name, line);
  };

const refusal = () => machine.provide().then(() => "", String);

test("takes a CLI on PATH before anything else", async () => {
  for (const name of [...programs, "pulumi-resource-pulumi-nodejs"])
    await machine.script(machine.bin, name, "echo v3.254.0");
  const binary = path.join(machine.bin, "pulumi");
  expect(await machine.provide()).toMatchObject({
    version: "3.254.0",
    binary,
    source: "path",
    directories: [],
  });
  expect([machine.lines, await machine.cached()]).toEqual([["pulumi 3.254.0 (on PATH)"], []]);
});

test("reports why it takes no CLI on PATH", async () => {
  const binary = path.join(machine.bin, "pulumi");
  for (const [line, reason] of Object.entries({
    "echo v3.253.9": "is version 3.253.9, and >=3.254.0 <4 is needed",
    "echo v4.0.0": "is version 4.0.0, and >=3.254.0 <4 is needed",
    "echo kaputt >&2; exit 3": "does not run: kaputt",
    "echo hello": 'does not tell its version: "hello"',
    "echo v3.260.0": "has no pulumi-language-nodejs beside it or on PATH",
  })) {
    await machine.script(machine.bin, "pulumi", line);
    expect(await refusal()).toContain(`PATH: ${binary} ${reason}`);
  }
  await chmod(binary, 0o644);
  expect(await refusal()).toContain("PATH: no pulumi on PATH");
});

test("downloads the pinned version once, where that source is allowed", async () => {
  const install = jest.fn(download());
  const first = await machine.provide(install);
  expect(first).toMatchObject({ version: pinnedVersion, source: "download" });
  expect(await machine.provide(install)).toMatchObject({ binary: first.binary, source: "download" });
  expect(install).toHaveBeenCalledTimes(1);
  expect(machine.lines.at(-1)).toBe(`pulumi ${pinnedVersion} (cached download)`);
  await machine.installGo();
  expect(await machine.provide(install, "path, go")).toMatchObject({ source: "go" });
});

test.each<[what: string, install: () => Install, reason: string]>([
  [
    "of another version",
    () => download(programs, "echo v3.300.0"),
    `3.300.0 came instead of ${pinnedVersion}`,
  ],
  ["of half a CLI", () => download(["pulumi"]), "the download holds no pulumi-language-nodejs"],
])("keeps nothing of a download %s", async (_, install, reason) => {
  await expect(machine.provide(install())).rejects.toThrow(reason);
  expect(await machine.cached()).toEqual(["bin"]);
});

test("builds the CLI with Go, once for two runs at the same time", async () => {
  await machine.installGo();
  const [cli, other] = await Promise.all([machine.provide(), machine.provide()]);
  const directories = [path.join(machine.cache, `pulumi-${pinnedVersion}`, "bin")];
  expect(cli).toMatchObject({ version: pinnedVersion, source: "go", directories });
  expect(other.binary).toBe(cli.binary);
  expect(await machine.builds()).toEqual(["pulumi-language-nodejs", "pulumi"]);
  const built = [...programs, "pulumi-resource-pulumi-nodejs"].map((name) => `bin/${name}`);
  expect(await machine.cached()).toEqual(expect.arrayContaining(built));
  const module = await readFile("tools/pulumi-cli/go/cli/go.mod", "utf8");
  expect(module).toContain(`\tgithub.com/pulumi/pulumi/pkg/v3 v${pinnedVersion} `);
});

test("one message lists what was tried, each with its reason, and what to install", async () => {
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
  await machine.script(machine.bin, "pulumi-language-nodejs", "exit 0");
  await machine.script(
    machine.bin,
    "pulumi",
    'if [ "$1" = version ]; then echo v3.260.0; exit; fi',
    'read line; echo "$# $2 $line $PWD"; exit 42',
  );
  const main = path.resolve("tools/pulumi-cli/main.ts");
  const args = ["--require", require.resolve("ts-node/register"), main, "up", "a b", "--yes"];
  const env = { ...machine.env, npm_lifecycle_event: "pulumi", INIT_CWD: machine.bin };
  const child = spawn(process.execPath, args, { env });
  onEnd(() => Promise.resolve(child.kill("SIGKILL")));
  child.stdin.end("typed\n");
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<[number]>]);
  expect([stdout, code]).toEqual([`3 a b typed ${machine.bin}\n`, 42]);
});
