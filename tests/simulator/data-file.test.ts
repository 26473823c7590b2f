import * as fs from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { type Simulator, type SimulatorOptions, DataFileError } from "../../simulator/src/index";
import { createEndpoint, createPipe, listPipes, ok, start } from "./client";
import { BODIES, KINESIS, REQUEST_ONLY_VALUES } from "./client";
import { temporaryFolder } from "../kit/cleanup";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder("simulator");
  file = join(folder, "data.json");
});

const startWithFile = (more: SimulatorOptions = {}): Promise<Simulator> => start({ data: file, ...more });

/** Another simulator with the file of one, which ends. */
async function restarted(simulator: Simulator, more: SimulatorOptions = {}): Promise<Simulator> {
  await simulator.close();
  return startWithFile(more);
}

test("everything survives a restart, and what was deleted or reset stays away", async () => {
  const first = await startWithFile({ now: () => 0 });
  await createPipe(first);
  await createEndpoint(first);
  await ok(first, "PATCH", "", { name: "Renamed", releaseChannel: "slow" });
  first.control.advance(2);
  const { pipes, endpoints, services, backups, now } = first.control.state();
  const second = await restarted(first, { now: () => 0 });
  const state = second.control.state();
  expect(state).toMatchObject({ endpoints, services, backups, now });
  expect(state.pipes).toEqual(pipes.map((pipe) => ({ ...pipe, credentialsDigest: {} })));
  expect(await listPipes(second)).toMatchObject([{ state: "Setup" }]);
  await ok(second, "DELETE", `/pipes/${pipes[0]?.id ?? ""}`);
  await createPipe(second, KINESIS);
  const third = await restarted(second);
  expect(await listPipes(third)).toMatchObject([{ name: "stream" }]);
  third.control.reset();
  expect(await listPipes(await restarted(third))).toEqual([]);
});

test("holds nothing that only requests carry, and only its owner can read it", async () => {
  const simulator = await startWithFile();
  for (const body of Object.values(BODIES)) await createPipe(simulator, body);
  const text = fs.readFileSync(file, "utf8");
  expect(text).toContain('"orders"');
  for (const value of [...REQUEST_ONLY_VALUES, "credentials", "accessKey", "demo-key-secret"])
    expect(text).not.toContain(value);
  expect(fs.statSync(file).mode & 0o077).toBe(0);
});

test("services of new accounts join those of the file", async () => {
  const first = await startWithFile();
  await ok(first, "PATCH", "", { name: "Old one" });
  const serviceIds = [...first.account.serviceIds, "0a1b2c3d-0000-4000-8000-000000000099"];
  const second = await restarted(first, { accounts: [{ ...first.account, serviceIds }] });
  const [oldId, newId] = serviceIds;
  expect(second.control.state().services).toMatchObject([{ id: oldId, name: "Old one" }, { id: newId }]);
});

const FORMAT = '"format":"pulumi-datapipes-simulator"';
const EMPTY = '"clockOffsetMs":0,"services":[],"endpoints":[]';
const FOREIGN = "was not written by this simulator";

test.each([
  ["is not JSON", '{"format": "hidden-secret'],
  [FOREIGN, "{}"],
  [FOREIGN, `{${FORMAT},"version":2,${EMPTY},"pipes":[]}`],
  [FOREIGN, `{${FORMAT},"version":1,${EMPTY},"pipes":[{}]}`],
])("a file that %s is an error that leaves it as it was", async (text, content) => {
  fs.writeFileSync(file, content);
  const starting = startWithFile();
  await expect(starting).rejects.toThrow(DataFileError);
  await expect(starting).rejects.toThrow(text);
  await expect(starting).rejects.not.toThrow("hidden-secret");
  expect(fs.readFileSync(file, "utf8")).toBe(content);
});

test("a file that cannot be written is an error at the start", async () => {
  await expect(start({ data: join(folder, "none/data.json") })).rejects.toThrow("cannot be written");
});

test("a data file is complete after a process was killed while it wrote", async () => {
  const first = await startWithFile();
  await createPipe(first);
  await first.close();
  const content = fs.readFileSync(file, "utf8");
  // A process that is killed the moment it has written, before it renames. It needs the compiled simulator.
  const program = `
    require("node:fs").renameSync = () => process.kill(process.pid, "SIGKILL");
    process.argv = [process.execPath, "datapipes-simulator", "--port", "0", "--data", ${JSON.stringify(file)}];
    require(${JSON.stringify(join(__dirname, "../../simulator/bin/datapipes-simulator.js"))});`;
  expect(await once(spawn(process.execPath, ["-e", program]), "exit")).toEqual([null, "SIGKILL"]);
  expect(fs.readFileSync(file, "utf8")).toBe(content);
  expect(await listPipes(await startWithFile())).toMatchObject([{ name: "orders" }]);
});
