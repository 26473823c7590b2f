import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KAFKA, createPipe, start } from "./client";
import { endStarted } from "../../../testkit/started";

const COMMAND = join(__dirname, "../../../simulator/bin/datapipes-simulator.js");
const HOUR_S = 3600;

let folder: string;
let file: string;

beforeAll(() => {
  if (!existsSync(join(COMMAND, "../../dist/main.js")))
    throw new Error("The simulator is not built: run `npm run build` first.");
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "datapipes-simulator-"));
  file = join(folder, "data.json");
});

afterEach(async () => {
  await endStarted();
  rmSync(folder, { recursive: true });
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
