import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pluginFolder } from "../kit/sdk";
import { temporaryFolder, onEnd } from "../kit/cleanup";
import { TEST_MS } from "../kit/timeouts";
import { engines } from "../../plugin/package.json";

const name = "pulumi-resource-datapipes";
const launcher = path.join(pluginFolder, name);
const needed = engines.node.replace(">=", "");

/** A folder for the PATH with the tools that the launcher uses, and with a Node that says this version of itself. */
async function toolsWithNode(version: string): Promise<string> {
  const folder = await temporaryFolder("path");
  for (const tool of ["sh", "dirname", "readlink"]) {
    const { stdout } = spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" });
    await symlink(stdout.trim(), path.join(folder, tool));
  }
  if (version === "none") return folder;
  const preload = path.join(folder, "version.cjs");
  const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
  await writeFile(preload, `Object.defineProperty(process, "versions", ${versions});`);
  const script = `#!/bin/sh\nexec "${process.execPath}" --require "${preload}" "$@"\n`;
  await writeFile(path.join(folder, "node"), script, { mode: 0o755 });
  return folder;
}

async function firstLine(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(file, [], { env, stdio: ["ignore", "pipe", "inherit"] });
  onEnd(() => Promise.resolve(child.kill("SIGKILL")));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return line;
}

test.each(["none", "8.17.0", "18.20.8", "20.18.3"])(
  "the launcher says what it needs and found, and fails, if Node on the PATH is %s",
  async (found) => {
    const env = { PATH: await toolsWithNode(found) };
    const run = spawnSync(launcher, [], { env, encoding: "utf8", timeout: TEST_MS });
    const stderr = `${name} needs Node.js ${needed} or newer on the PATH, and found ${found}.\n`;
    expect(run).toMatchObject({ status: 1, stdout: "", stderr });
  },
);

test.each([`${needed}.0`, "22.0.0"])("the launcher starts the plugin with Node %s", async (version) => {
  expect(await firstLine(launcher, { PATH: await toolsWithNode(version) })).toMatch(/^\d+$/);
});

test("the launcher starts the plugin through a link to a link to it", async () => {
  const folder = await temporaryFolder("links");
  await mkdir(path.join(folder, "bin"));
  await symlink(launcher, path.join(folder, "absolute"));
  await symlink("../absolute", path.join(folder, "bin", name));
  expect(await firstLine(path.join(folder, "bin", name), process.env)).toMatch(/^\d+$/);
});

test("the launcher of Windows says which Node it needs, if none is on the PATH", () => {
  const text = readFileSync(path.join(pluginFolder, `${name}.cmd`), "utf8");
  expect(text).toContain(`${name} needs Node.js ${needed} or newer on the PATH, and found none.`);
});

test("the file that checks the version has no syntax and no import that Node 8 lacks", () => {
  const start = readFileSync(path.join(pluginFolder, "start.js"), "utf8");
  expect(start).not.toMatch(/\?\?|\?\.|\bimport\(|#\w|catch\s*\{|"node:/);
});
