import { spawnSync } from "node:child_process";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "../../../tools/pulumi-cli/lock";
import { providePulumi } from "../../../tools/pulumi-cli/provision";
import { Machine, until } from "./machine";

let machine: Machine;
let lock: string;
beforeEach(async () => {
  machine = await Machine.start();
  lock = path.join(machine.folder, "lock");
  await mkdir(machine.folder, { recursive: true });
});
afterEach(async () => {
  await machine.end();
});

test("two runs at the same time do one build, and the one that waits says so", async () => {
  await machine.installGo({ seconds: 0.2 });
  const first = providePulumi(machine.options);
  await until(async () => (await machine.cached()).includes("lock"));
  const clis = await Promise.all([first, providePulumi(machine.options)]);
  expect(clis[0].binary).toBe(clis[1].binary);
  expect(await machine.builds()).toEqual(["pulumi-language-nodejs", "pulumi"]);
  expect(machine.lines).toContain("another run is providing the Pulumi CLI, waiting for it");
  expect(await machine.cached()).not.toContain("lock");
});

test("takes the lock of a process that has ended", async () => {
  await machine.installGo();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: "gone" }));
  expect(await providePulumi(machine.options)).toMatchObject({ source: "go" });
  expect(await machine.cached()).not.toContain("lock");
});

test("takes a lock without a heartbeat, whoever holds it", async () => {
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: "another", token: "asleep" }));
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(lock, longAgo, longAgo);
  await expect(withLock(lock, never, () => Promise.resolve("done"))).resolves.toBe("done");
});

test("a lock of another machine is waited for, and waiting can be interrupted", async () => {
  const text = JSON.stringify({ pid: 1, host: "another", token: "busy" });
  await writeFile(lock, text);
  const waiting = withLock(lock, AbortSignal.timeout(100), () => Promise.resolve("done"));
  await expect(waiting).rejects.toThrow(/abort/);
  expect(await readFile(lock, "utf8")).toBe(text);
});

test("many processes that wait for a stale lock take it one by one", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: "gone" }));
  let holders = 0;
  const most: number[] = [];
  const turn = () =>
    withLock(lock, never, async () => {
      holders += 1;
      most.push(holders);
      await sleep(5);
      holders -= 1;
    });
  await Promise.all([turn(), turn(), turn()]);
  expect(most).toEqual([1, 1, 1]);
});

const never = new AbortController().signal;
