import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { canary, leaks } from "../../testkit/canary";
import { runDatapipes } from "../../testkit/cli";
import { accountOf } from "../../testkit/examples";
import { complete, creationBody, minimal } from "../../testkit/pipes";
import { newSimulator } from "../../testkit/simulator";
import { folderOf } from "./imported";

const secret = canary("key-secret");
const WRITE = ["probe", "--json", "--write", "--name-prefix", "mine-", "--pipe", "pipe.json"];

async function folderWithPipe(pipe: object) {
  const simulator = await newSimulator({ accounts: [{ ...accountOf(1), apiKeySecret: secret }] });
  simulator.control.seedPipes([creationBody("orders", complete.kafka)]);
  const { folder, env: own } = await folderOf(simulator);
  const env = { ...own, DATAPIPES_RATE_LIMIT: "off" };
  await writeFile(path.join(folder, "pipe.json"), JSON.stringify(pipe));
  return { simulator, folder, env, run: (...args: string[]) => runDatapipes(args, { cwd: folder, env }) };
}

test("the command prints a verdict for each assumption, sends GETs only, and writes only when it is asked to", async () => {
  const { simulator, run } = await folderWithPipe(minimal.kafka);
  const read = await run("probe", "--json");
  const { findings } = JSON.parse(read.stdout) as { findings: { verdict: string; seen: string }[] };
  const verdicts = new Set(findings.map(({ verdict }) => verdict));
  expect([read.code, verdicts]).toEqual([0, new Set(["unknown", "as assumed"])]);
  expect(new Set(simulator.control.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
  const written = await run(...WRITE);
  expect([written.code, JSON.parse(written.stdout)]).toEqual([0, expect.objectContaining({ left: [] })]);
  expect(simulator.control.state().pipes.map(({ name }) => name)).toEqual(["orders"]);
  expect((await run("probe")).stdout).toMatch(/^# What the service does/);
  const always = { withAuthorization: true, times: "always" } as const;
  simulator.control.fault({ operationId: "listPipes", kind: "echo", ...always });
  const refused = await run("probe");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(leaks({ output: read.output + written.output + refused.output }, [secret])).toEqual([]);
});

test("Ctrl-C in the middle of the changes takes the pipe away", async () => {
  const { simulator, folder, env } = await folderWithPipe(minimal.kafka);
  simulator.control.fault({ operationId: "updatePipe", kind: "slow", ms: 2000 });
  const args = [path.resolve("provider/bin/datapipes.js"), ...WRITE];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: Buffer) => (said.stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => {
    said.stderr += text.toString();
    if (text.toString().includes("Changing name")) child.kill("SIGINT");
  });
  const [code] = (await once(child, "close")) as [number];
  expect([code, JSON.parse(said.stdout)]).toEqual([1, expect.objectContaining({ left: [] })]);
  expect(said.stderr).toContain("Interrupted: taking the pipe away.");
  expect(simulator.control.state().pipes.map(({ name }) => name)).toEqual(["orders"]);
});

test.each<[what: string, args: string[], code: number, line: string, pipe?: object]>([
  ["--write alone", ["--write"], 2, "--write needs --name-prefix <text> and --pipe <file>"],
  ["a file without --write", ["--pipe", "pipe.json"], 2, "--name-prefix and --pipe need --write"],
  ["a file that is not there", [...WRITE.slice(1, -1), "none.json"], 1, "could not be read: ENOENT"],
  ["a pipe that no service takes", WRITE.slice(1), 1, "source is required"],
  ["a service in the file", WRITE.slice(1), 1, "serviceId", { ...minimal.kafka, serviceId: "other" }],
])("says what is wrong with %s, and sends nothing", async (...[, args, code, line, pipe = {}]) => {
  const { simulator, run } = await folderWithPipe(pipe);
  const { code: ended, stdout, stderr } = await run("probe", ...args);
  expect([ended, stdout, stderr.includes(line), simulator.control.requests()]).toEqual([code, "", true, []]);
});
