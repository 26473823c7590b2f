import * as fs from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { type Simulator, type SimulatorOptions, DataFileError } from "../../simulator/src/index";
import { createEndpoint, createPipe, listPipes, ok, start } from "./client";
import { BODIES, KINESIS, REQUEST_ONLY_VALUES } from "./client";
import { temporaryFolder } from "../kit/cleanup";

const newFile = async (): Promise<string> => join(await temporaryFolder("simulator"), "data.json");

/** Ends a simulator, and starts another one. */
async function restarted(simulator: Simulator, options: SimulatorOptions): Promise<Simulator> {
  await simulator.close();
  return start(options);
}

test("everything survives a restart", async () => {
  const options = { data: await newFile(), now: () => 0 };
  const first = await start(options);
  await createPipe(first);
  await createEndpoint(first);
  await ok(first, "PATCH", "", { name: "Renamed", releaseChannel: "slow" });
  first.control.advance(2);
  const { pipes, endpoints, services, backups, now } = first.control.state();
  const second = await restarted(first, options);
  const state = second.control.state();
  expect(state).toMatchObject({ endpoints, services, backups, now });
  // The file has nothing of credentials, and no digest of them either.
  expect(state.pipes).toEqual(pipes.map((pipe) => ({ ...pipe, credentialsDigest: {} })));
  expect(await listPipes(second)).toMatchObject([{ state: "Setup" }]);
});

test("what was deleted or reset stays away after a restart", async () => {
  const options = { data: await newFile() };
  const first = await start(options);
  const { id } = await createPipe(first);
  await ok(first, "DELETE", `/pipes/${id}`);
  await createPipe(first, KINESIS);
  const second = await restarted(first, options);
  expect(await listPipes(second)).toMatchObject([{ name: "stream" }]);
  second.control.reset();
  expect(await listPipes(await restarted(second, options))).toEqual([]);
});

test("holds nothing that only requests carry, and only its owner can read it", async () => {
  const data = await newFile();
  const simulator = await start({ data });
  for (const body of Object.values(BODIES)) await createPipe(simulator, body);
  const text = fs.readFileSync(data, "utf8");
  expect(text).toContain('"orders"');
  const { apiKeySecret } = simulator.account;
  for (const value of [...REQUEST_ONLY_VALUES, "credentials", "accessKey", apiKeySecret])
    expect(text).not.toContain(value);
  expect(fs.statSync(data).mode & 0o077).toBe(0);
});

test("services of new accounts join those of the file", async () => {
  const data = await newFile();
  const first = await start({ data });
  await ok(first, "PATCH", "", { name: "Old one" });
  const serviceIds = [...first.account.serviceIds, "0a1b2c3d-0000-4000-8000-000000000099"];
  const second = await restarted(first, { data, accounts: [{ ...first.account, serviceIds }] });
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
  const data = await newFile();
  fs.writeFileSync(data, content);
  const starting = start({ data });
  await expect(starting).rejects.toThrow(DataFileError);
  await expect(starting).rejects.toThrow(text);
  await expect(starting).rejects.not.toThrow("hidden-secret");
  expect(fs.readFileSync(data, "utf8")).toBe(content);
});

test("a file that cannot be written is an error at the start", async () => {
  const data = join(await temporaryFolder("simulator"), "none/data.json");
  await expect(start({ data })).rejects.toThrow("cannot be written");
});

test("a data file is complete after a process was killed while it wrote", async () => {
  const data = await newFile();
  const first = await start({ data });
  await createPipe(first);
  await first.close();
  const content = fs.readFileSync(data, "utf8");
  // A process that is killed the moment it has written, before it renames. It needs the compiled simulator.
  const program = `
    require("node:fs").renameSync = () => process.kill(process.pid, "SIGKILL");
    process.argv = [process.execPath, "datapipes-simulator", "--port", "0", "--data", ${JSON.stringify(data)}];
    require(${JSON.stringify(join(__dirname, "../../simulator/bin/datapipes-simulator.js"))});`;
  expect(await once(spawn(process.execPath, ["-e", program]), "exit")).toEqual([null, "SIGKILL"]);
  expect(fs.readFileSync(data, "utf8")).toBe(content);
  expect(await listPipes(await start({ data }))).toMatchObject([{ name: "orders" }]);
});
