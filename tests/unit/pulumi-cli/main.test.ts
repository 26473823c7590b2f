import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { Machine, until } from "./machine";

const main = path.resolve("tools/pulumi-cli/main.ts");

const started: ChildProcess[] = [];
let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(async () => {
  // What a failed test leaves running would keep Jest from ending.
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await machine.end();
});

test("the CLI gets the arguments and stdin, answers on stdout and gives the exit code", async () => {
  await machine.installCli("3.260.0");
  await machine.script(
    machine.bin,
    "pulumi",
    'if [ "$1" = version ]; then echo v3.260.0; exit; fi',
    'read line; echo "$# $2 $line"; exit 42',
  );
  const run = start(["up", "a b", "--yes"]);
  run.child.stdin?.end("typed\n");
  expect(await run.ended).toEqual({
    code: 42,
    stdout: "3 a b typed\n",
    stderr: "pulumi 3.260.0 (on PATH)\n",
  });
});

test("the CLI runs where npm was called", async () => {
  const called = path.join(await realpath(machine.root), "project");
  await mkdir(called);
  await machine.installCli("3.260.0");
  await machine.script(machine.bin, "pulumi", 'if [ "$1" = version ]; then echo v3.260.0; else pwd; fi');
  const byNpm = start(["up"], { npm_lifecycle_event: "pulumi", INIT_CWD: called });
  expect((await byNpm.ended).stdout).toBe(`${called}\n`);
  const byAnotherScript = start(["up"], { npm_lifecycle_event: "test", INIT_CWD: called });
  expect((await byAnotherScript.ended).stdout).toBe(`${process.cwd()}\n`);
});

test("exit code 1 and the message when there is no CLI", async () => {
  const run = await start(["up"], { DATAPIPES_PULUMI_SOURCES: "path,go" }).ended;
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain("  - PATH: no pulumi on PATH\n  - Go build: no go on PATH\n");
});

test("an interrupted build ends its children and leaves no partial files, and the next run continues", async () => {
  const sources = { DATAPIPES_PULUMI_SOURCES: "go" };
  await machine.installGo();
  await machine.script(path.join(machine.folder, "bin"), "pulumi-language-nodejs", "exit 0");
  await machine.installGo({ seconds: 60 });
  const run = start(["version"], sources);
  await until(async () => (await machine.builds()).length > 0);
  run.child.kill("SIGINT");
  expect(await run.ended).toMatchObject({ code: null });
  expect(run.child.signalCode).toBe("SIGINT");
  expect(await machine.cached()).toEqual(["bin", "bin/pulumi-language-nodejs"]);
  await machine.installGo();
  expect(await start(["version"], sources).ended).toMatchObject({ code: 0 });
  expect(await machine.builds()).toEqual(["pulumi", "pulumi"]);
});

test("a signal reaches the CLI once, and its own exit code counts", async () => {
  await machine.installCli("3.260.0");
  await machine.script(
    machine.bin,
    "pulumi",
    'if [ "$1" = version ]; then echo v3.260.0; exit; fi',
    "trap 'echo interrupted' INT",
    "echo ready; /bin/sleep 0.3; /bin/sleep 0.3; exit 5",
  );
  const run = start(["up"]);
  run.child.stdout?.once("data", () => {
    run.child.kill("SIGINT");
    run.child.kill("SIGINT");
  });
  expect(await run.ended).toMatchObject({ code: 5, stdout: "ready\ninterrupted\n" });
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[], env: NodeJS.ProcessEnv = {}): { child: ChildProcess; ended: Promise<Ended> } {
  const register = require.resolve("ts-node/register");
  const child = spawn(process.execPath, ["--require", register, main, ...args], {
    env: { ...machine.env, ...env },
  });
  started.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      resolve({ code, ...output });
    });
  });
  return { child, ended };
}
