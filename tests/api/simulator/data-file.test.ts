import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pipe, Service } from "../../../simulator/src/index";
import { DataFileError } from "../../../simulator/src/index";
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
import { endStarted } from "../../../testkit/started";

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
