import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { runDatapipes } from "../kit/cli";
import { complete, creationBody } from "../kit/pipes";
import { until } from "../kit/simulator";
import { folderWith } from "./imported";

const orders = creationBody("orders", complete.kafka);
const service = "0a1b2c3d-0000-4000-8000-0000000000a1";

test("keeps a file that appears while it reads the pipes", async () => {
  const { simulator, folder, importPipes, files, read } = await folderWith(orders);
  simulator.control.fault({ operationId: "listPipes", kind: "slow", ms: 500 });
  const running = importPipes("--mode", "import");
  await until(() => simulator.control.faults().length === 0);
  // Before the answer, which this process sends.
  writeFileSync(path.join(folder, "index.ts"), "mine");
  symlinkSync("nowhere", path.join(folder, "import.json"));
  const run = await running;
  expect(run.code).toBe(1);
  expect(run.stdout).toBe("");
  expect(await files()).toEqual(["import.json", "index.ts"]);
  expect(run.stderr).toContain("Nothing was written: index.ts and import.json already exist.");
  expect(await read("index.ts")).toBe("mine");
});

test("ends well where the reader of its result has read enough", async () => {
  const pipes = Array.from({ length: 500 }, (_, index) => creationBody(`orders ${index}`, complete.kafka));
  const { env, folder, files } = await folderWith(...pipes);
  const command = path.resolve("provider/bin/datapipes.js");
  const child = spawn(process.execPath, [command, "import", "--json", "--mode", "import"], {
    cwd: folder,
    env,
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  expect(await files()).toEqual(["import.json", "index.ts"]);
  expect(said).not.toContain("EPIPE");
});

interface Failure {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly code: 1 | 2;
  readonly says: string;
}

const FAILURES: readonly Failure[] = [
  { what: "an unknown service", args: ["--service", service], code: 1, says: "404" },
  { what: "a malformed service", args: ["--service", "orders"], code: 2, says: "It must be a UUID" },
  {
    what: "no service in the configuration",
    args: [],
    env: { DATAPIPES_SERVICE_ID: undefined },
    code: 1,
    says: "datapipes:serviceId is not set",
  },
  { what: "an unknown option", args: ["--servce", service], code: 2, says: "unknown option '--servce'" },
  { what: "an unknown mode", args: ["--mode", "move"], code: 2, says: "Allowed choices are adopt, import" },
  { what: "a pattern without a match", args: ["--only", "x*"], code: 1, says: 'matches "x*"' },
  { what: "a folder that is a file", args: ["--out", "file"], code: 1, says: "could not be written" },
  { what: "a read-only folder", args: ["--out", "/proc/none/pipes"], code: 1, says: "could not be written" },
  {
    what: "a folder that has a file",
    args: ["--mode", "import", "--out", ".", "--stack", "none"],
    code: 1,
    says: "import.json already exists",
  },
  { what: "an unknown stack", args: ["--out", "new", "--stack", "none"], code: 1, says: 'stack "none"' },
];

test.each(FAILURES)("says what is wrong with $what, and writes nothing", async (failure) => {
  const { env, folder, files, read } = await folderWith(orders);
  for (const name of ["file", "import.json"]) await writeFile(path.join(folder, name), "mine");
  const out = failure.args.includes("--out") ? [] : ["--out", "new"];
  const place = { cwd: folder, env: { ...env, ...failure.env } };
  const run = await runDatapipes(["import", ...failure.args, ...out], place);
  expect(run.code).toBe(failure.code);
  expect(run.stdout).toBe("");
  expect(run.stderr).toContain(failure.says);
  expect(await files()).toEqual(["file", "import.json"]);
  expect(await read("import.json")).toBe("mine");
});
