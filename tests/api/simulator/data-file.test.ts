import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { type Pipe, type Service, DataFileError } from "../../../simulator/src/index";
import { endStarted } from "../../../testkit/started";
import {
  KAFKA,
  KINESIS,
  OBJECT_STORAGE,
  POSTGRES,
  REQUEST_ONLY_VALUES,
  createPipe,
  ok,
  start,
  listPipes,
} from "./client";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "datapipes-simulator-"));
  file = join(folder, "data.json");
});

afterEach(async () => {
  await endStarted();
  rmSync(folder, { recursive: true });
});

test("everything survives a restart, and states continue where they were", async () => {
  const first = await start({ data: file, now: () => 0 });
  await createPipe(first, KAFKA);
  await ok(first, "POST", "/pipesReversePrivateEndpoints", { type: "VPC_ENDPOINT_SERVICE" });
  await ok(first, "PATCH", "", { name: "Renamed", releaseChannel: "slow" });
  first.control.advance(2);
  const { pipes, endpoints, services, backups, now } = first.control.state();
  await first.close();
  const second = await start({ data: file, now: () => 0 });
  const state = second.control.state();
  expect(state).toMatchObject({ endpoints, services, backups, now });
  expect(state.pipes).toEqual(pipes.map((pipe) => ({ ...pipe, credentialsDigest: {} })));
  expect(await listPipes(second)).toMatchObject([{ state: "Setup" }]);
});

test("what was deleted or reset does not come back", async () => {
  const first = await start({ data: file });
  const { id } = await createPipe(first, KAFKA);
  await createPipe(first, KINESIS);
  await ok(first, "DELETE", `/pipes/${id}`);
  await first.close();
  const second = await start({ data: file });
  expect(await listPipes(second)).toHaveLength(1);
  second.control.reset();
  await second.close();
  expect(await ok<Pipe[]>(await start({ data: file }), "GET", "/pipes")).toEqual([]);
});

test("holds nothing that only requests carry, and only its owner can read it", async () => {
  const simulator = await start({ data: file });
  for (const body of [KAFKA, OBJECT_STORAGE, KINESIS, POSTGRES]) await createPipe(simulator, body);
  const text = readFileSync(file, "utf8");
  expect(text).toContain('"orders"');
  for (const value of [...REQUEST_ONLY_VALUES, "credentials", "accessKey", "demo-key-secret"])
    expect(text).not.toContain(value);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test("services of new accounts join those of the file", async () => {
  const first = await start({ data: file });
  await ok(first, "PATCH", "", { name: "Old one" });
  await first.close();
  const serviceIds = [...first.account.serviceIds, "0a1b2c3d-0000-4000-8000-000000000099"];
  const second = await start({ data: file, accounts: [{ ...first.account, serviceIds }] });
  expect(second.control.state().services.map(({ id }) => id)).toEqual(serviceIds);
  expect((await ok<Service>(second, "PATCH", "", {})).name).toBe("Old one");
});

test.each([
  ["is not JSON", '{"format": "hidden-secret'],
  ["was not written by this simulator", "{}"],
  ["was not written by this simulator", '{"format":"pulumi-datapipes-simulator","version":2}'],
  [
    "was not written by this simulator",
    '{"format":"pulumi-datapipes-simulator","version":1,"clockOffsetMs":0,"services":[],"endpoints":[],"pipes":[{}]}',
  ],
])("a file that %s is an error that leaves it as it was", async (text, content) => {
  writeFileSync(file, content);
  const starting = start({ data: file });
  await expect(starting).rejects.toThrow(DataFileError);
  await expect(starting).rejects.toThrow(text);
  await expect(starting).rejects.not.toThrow("hidden-secret");
  expect(readFileSync(file, "utf8")).toBe(content);
});

test("a file that cannot be written is an error at the start", async () => {
  await expect(start({ data: join(folder, "none", "data.json") })).rejects.toThrow("cannot be written");
});

const COMMAND = join(__dirname, "../../../simulator/bin/datapipes-simulator.js");
const HOUR_S = 3600;

beforeAll(() => {
  if (!existsSync(join(COMMAND, "../../dist/main.js")))
    throw new Error("The simulator is not built: run `npm run build` first.");
});

/** Runs the command with the data file in a process that is killed the moment it has written, before it renames. */
function runUntilKilled(): Promise<NodeJS.Signals | null> {
  const program = `
    require("node:fs").renameSync = () => process.kill(process.pid, "SIGKILL");
    process.argv = [process.execPath, "datapipes-simulator", "--port", "0", "--data", ${JSON.stringify(file)}];
    require(${JSON.stringify(COMMAND)});`;
  const child = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
  return new Promise((resolve) =>
    child.once("exit", (_code, signal) => {
      resolve(signal);
    }),
  );
}

test("the next start removes what a killed simulator left beside its data file", async () => {
  const first = await start({ data: file });
  await createPipe(first, KAFKA);
  await first.close();
  const content = readFileSync(file, "utf8");
  expect(await runUntilKilled()).toBe("SIGKILL");
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readFileSync(file, "utf8")).toBe(content);
  const second = await start({ data: file });
  expect(readdirSync(folder)).toEqual(["data.json"]);
  expect(second.control.state().pipes).toMatchObject([{ name: "orders" }]);
});

test("a file that is being written by another simulator stays, until it is too old for that", async () => {
  const running = `data.json.${process.ppid}-0123abcd.tmp`;
  writeFileSync(join(folder, running), "");
  await start({ data: file });
  expect(readdirSync(folder)).toEqual(["data.json", running]);
  const old = Date.now() / 1000 - HOUR_S;
  utimesSync(join(folder, running), old, old);
  await start({ data: file });
  expect(readdirSync(folder)).toEqual(["data.json"]);
});

test("keeps files of users, whatever their age", async () => {
  const kept = [
    "data.json.1",
    "data.json.1234567",
    "data.json.bak",
    "data.json.1-0123abcd.tmp.bak",
    "other.json.1-0123abcd.tmp",
  ];
  const old = Date.now() / 1000 - HOUR_S;
  for (const name of kept) {
    writeFileSync(join(folder, name), "mine");
    utimesSync(join(folder, name), old, old);
  }
  mkdirSync(join(folder, "data.json.999999999-0123abcd.tmp"));
  await start({ data: file });
  expect(readdirSync(folder).sort()).toEqual(
    ["data.json", "data.json.999999999-0123abcd.tmp", ...kept].sort(),
  );
});

test("a data file behind a symbolic link is written where it is", async () => {
  const link = join(folder, "link.json");
  mkdirSync(join(folder, "real"));
  await (await start({ data: join(folder, "real/data.json") })).close();
  symlinkSync(join(folder, "real/data.json"), link);
  await createPipe(await start({ data: link }), KAFKA);
  expect(readFileSync(join(folder, "real/data.json"), "utf8")).toContain('"orders"');
  expect(statSync(join(folder, "real/data.json")).mode & 0o077).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["link.json", "real"]);
});
