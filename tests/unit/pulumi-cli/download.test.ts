import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CacheFolder } from "../../../tools/pulumi-cli/cache";
import { fillByDownload, type FillContext } from "../../../tools/pulumi-cli/download";
import { Machine, pinned } from "./machine";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(async () => {
  await machine.end();
});

test("the Automation API's installer fills the folder", async () => {
  const context = await contextWith(`
    while [ $# -gt 0 ]; do [ "$1" = --install-root ] && root=$2; [ "$1" = --version ] && version=$2; shift; done
    mkdir -p "$root/bin"
    for name in pulumi pulumi-language-nodejs; do
      printf '#!/bin/sh\\necho v%s\\n' "$version" > "$root/bin/$name"; chmod +x "$root/bin/$name"
    done`);
  await fillByDownload(context);
  expect(await machine.cached()).toEqual(["bin", "bin/pulumi", "bin/pulumi-language-nodejs"]);
});

test("the error quotes an installer that fails", async () => {
  const context = await contextWith("echo 'no such release' >&2; exit 4");
  await expect(fillByDownload(context)).rejects.toThrow("no such release");
  expect(await machine.cached()).toEqual(["bin"]);
});

test("an installer that hangs is ended with everything it started", async () => {
  const trace = path.join(machine.root, "trace");
  const context = await contextWith(`(while sleep 0.1; do echo alive >> ${trace}; done) & wait`);
  const limits = { stalledAfterSeconds: 1.5, deadlineSeconds: 60, watchEverySeconds: 0.05 };
  await expect(fillByDownload(context, undefined, limits)).rejects.toThrow("nothing came for 1.5 s");
  const atEnd = await readFile(trace, "utf8");
  await sleep(300);
  expect(await readFile(trace, "utf8")).toBe(atEnd);
  expect(await machine.cached()).toEqual(["bin"]);
});

test("an installer that never finishes is ended at the deadline", async () => {
  const context = await contextWith("");
  const limits = { stalledAfterSeconds: 60, deadlineSeconds: 0.1, watchEverySeconds: 0.02 };
  const install = (_version: string, _root: string, _env: NodeJS.ProcessEnv, signal: AbortSignal) =>
    sleep(60_000, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  await expect(fillByDownload(context, install, limits)).rejects.toThrow("not finished after 0.1 s");
});

/** A network on which the address of the install script answers with this script. */
async function contextWith(script: string): Promise<FillContext> {
  const stub = path.join(machine.root, "network.cjs");
  await writeFile(stub, `globalThis.fetch = async () => new Response(${JSON.stringify(script)});`);
  return {
    version: pinned,
    folder: new CacheFolder(machine.folder),
    env: { PATH: "/usr/bin:/bin", NODE_OPTIONS: `--require ${stub}` },
    signal: new AbortController().signal,
    report: () => undefined,
  };
}
