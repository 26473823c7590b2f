import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { seed } from "../../testkit/imported";
import { complete } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";
import { datapipes } from "./command";
import { folderOf, folderWith, read } from "./imported";

const orders = seed("orders", complete.kafka);
const service = "0a1b2c3d-0000-4000-8000-0000000000a1";

test("keeps existing files without --force", async () => {
  const { folder, importPipes, files } = await folderWith(orders);
  await writeFile(path.join(folder, "import.json"), "mine");
  const run = await importPipes();
  expect([run.code, run.stdout, await files()]).toEqual([1, "", ["import.json"]]);
  expect(run.stderr).toContain("import.json already exists");
  expect(await read(folder, "import.json")).toBe("mine");
  expect((await importPipes("--force")).code).toBe(0);
  expect((await files()).sort()).toEqual(["import.json", "index.ts"]);
});

test("keeps a file that appears while it reads the pipes, and all files if one is a folder", async () => {
  const { simulator, folder, importPipes, files } = await folderWith(orders);
  simulator.control.fault({ operationId: "listPipes", kind: "slow", ms: 500 });
  const running = importPipes();
  while (simulator.control.faults().length > 0) await setTimeout(20);
  await writeFile(path.join(folder, "index.ts"), "mine");
  await symlink("nowhere", path.join(folder, "import.json"));
  const run = await running;
  expect([run.code, run.stdout, await files()]).toEqual([1, "", ["import.json", "index.ts"]]);
  expect(run.stderr).toContain("Nothing was written: index.ts and import.json already exist.");
  await rm(path.join(folder, "import.json"));

  await mkdir(path.join(folder, "import.json"));
  const forced = await importPipes("--force");
  expect([forced.code, forced.stdout]).toEqual([1, ""]);
  expect(forced.stderr).toContain("Nothing was written: import.json is a folder");
  expect(await read(folder, "index.ts")).toBe("mine");
  expect((await files()).sort()).toEqual(["import.json", "index.ts"]);
});

test("writes a name of a folder that would end a comment as a comment", async () => {
  const { folder, importPipes } = await folderWith(orders);
  await importPipes("--out", "a*/ process.exit(3); /*");
  const program = await read(folder, "a*/ process.exit(3); /*/index.ts");
  expect(program.indexOf("*/")).toBeGreaterThan(program.indexOf("The API does not return credentials"));
});

test("ends well where the reader of its result has read enough", async () => {
  const pipes = Array.from({ length: 500 }, (_, index) => seed(`orders ${index}`, complete.kafka));
  const { env, folder, files } = await folderWith(...pipes);
  const command = path.resolve("provider/bin/datapipes.js");
  const child = spawn(process.execPath, [command, "import", "--json"], { cwd: folder, env });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = (await once(child, "close")) as [number];
  expect([code, (await files()).sort()]).toEqual([0, ["import.json", "index.ts"]]);
  expect(said).not.toContain("EPIPE");
});

test("says how to name a service where the configuration has none", async () => {
  const { env, folder } = await folderOf(await newSimulator());
  const { DATAPIPES_SERVICE_ID: none, ...others } = env;
  const run = await datapipes(["import"], { cwd: folder, env: others });
  expect([none === undefined, run.code, run.stdout]).toEqual([false, 1, ""]);
  expect(run.stderr).toContain("The configuration names no service: set one, or pass --service <id>.");
});

test("hides the credentials of the backend's URL, which the Pulumi CLI quotes", async () => {
  const { env, folder } = await folderOf(await newSimulator());
  await writeFile(path.join(folder, "Pulumi.yaml"), "name: pipes\nruntime: nodejs\n");
  const PULUMI_BACKEND_URL = "postgres://me:hunter5pw@127.0.0.1:1/x?user=u&password=hunter4pw";
  const run = await datapipes(["import"], { cwd: folder, env: { ...env, PULUMI_BACKEND_URL } });
  expect([run.code, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toContain("The configuration of the selected stack could not be read");
  expect(run.stderr).not.toMatch(/hunter[45]pw/);
});

describe("exit codes and what is written", () => {
  const cases: [what: string, args: readonly string[], code: number, line: string][] = [
    ["an unknown service", ["--service", service], 1, "404"],
    ["a malformed service", ["--service", "orders"], 2, "It must be a UUID"],
    ["an unknown option", ["--servce", service], 2, "unknown option '--servce'"],
    ["an unknown mode", ["--mode", "move"], 2, "Allowed choices are import, adopt"],
    ["a pattern without a match", ["--only", "x*"], 1, 'matches "x*"'],
    ["a folder that is a file", ["--out", "file"], 1, "could not be written"],
    ["a folder that cannot be made", ["--out", "/proc/none/pipes"], 1, "could not be written"],
    ["a stack that does not exist", ["--stack", "none"], 1, 'stack "none"'],
  ];

  test.each(cases)("%s", async (_, args, code, line) => {
    const { folder, importPipes, files } = await folderWith(orders);
    await writeFile(path.join(folder, "file"), "");
    const run = await importPipes(...args);
    expect([run.code, run.stdout, await files()]).toEqual([code, "", ["file"]]);
    expect(run.stderr).toContain(line);
  });
});

test("a wrong passphrase is named, with the variables that hold it", async () => {
  const stack = await newStack({ simulator: await newSimulator(), cold: true });
  const env = { PULUMI_CONFIG_PASSPHRASE: "wrong" };
  const { cwd, env: own } = stack.place();
  const { code, stderr } = await datapipes(["import"], { cwd, env: { ...own, ...env } });
  expect(code).toBe(1);
  expect(stderr).toContain("could not be read");
  expect(stderr).toContain("Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE");
});
