import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { RunFlagFiles } from "../../provider/src/run-flags";

let folder: string;
let lines: string[];

beforeEach(() => {
  ended.clear();
  folder = mkdtempSync(path.join(os.tmpdir(), "datapipes-flags-"));
  lines = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ended = new Set<number>();

const flagsOf = (processId: number, run = "127.0.0.1:1", place = folder): RunFlagFiles =>
  new RunFlagFiles(run, {
    folder: place,
    processId,
    isAlive: (id) => !ended.has(id),
    warn: (line) => {
      lines.push(line);
    },
  });

test("a flag is set for the other processes of the run, and for no other run", () => {
  const mine = flagsOf(1);
  mine.set("adopt abc");
  const [same, other] = [flagsOf(2), flagsOf(2, "127.0.0.1:2")];
  expect([same.has("adopt abc"), same.has("adopt abd"), other.has("adopt abc")]).toEqual([
    true,
    false,
    false,
  ]);
  mine.clear("adopt abc");
  expect([same.has("adopt abc"), mine.has("adopt abc")]).toEqual([false, false]);
});

test("a process clears its own flag, and keeps the same flag of another process", () => {
  const [one, other] = [flagsOf(1), flagsOf(2)];
  one.set("adopt abc");
  other.set("adopt abc");
  other.clear("adopt abc");
  expect([one.has("adopt abc"), other.has("adopt abc")]).toEqual([true, true]);
  one.clear("adopt abc");
  expect([one.has("adopt abc"), other.has("adopt abc")]).toEqual([false, false]);
});

test("an id that a living process of the run keeps is kept elsewhere, in any spelling, but not for that process", () => {
  const [mine, other, later] = [flagsOf(1), flagsOf(2), flagsOf(2, "127.0.0.1:2")];
  mine.keep("ABC");
  mine.keep("abd");
  const seen = () => [
    other.isKeptElsewhere("abc"),
    other.isKeptElsewhere("ABD"),
    other.isKeptElsewhere("ab"),
  ];
  expect(seen()).toEqual([true, true, false]);
  expect([mine.isKeptElsewhere("abc"), later.isKeptElsewhere("abc")]).toEqual([false, false]);
  ended.add(1);
  expect(seen()).toEqual([false, false, false]);
});

test("an earlier run with the same address, whose processes have ended, sets and claims nothing", () => {
  const [earlier, mine, other] = [flagsOf(1), flagsOf(2), flagsOf(3)];
  earlier.set("adopt abc");
  earlier.claim("create abc");
  expect([mine.has("adopt abc"), mine.claim("create abc")]).toEqual([true, false]);
  ended.add(1);
  expect([mine.has("adopt abc"), mine.claim("create abc"), other.claim("create abc")]).toEqual([
    false,
    true,
    false,
  ]);
});

test("removes only folders of runs, and uses no link that another user may have made", () => {
  flagsOf(1).set("adopt abc");
  const [place = ""] = readdirSync(folder).map((name) => path.join(folder, name));
  const others = path.join(place, "others");
  writeFileSync(others, "");
  utimesSync(others, 1, 1);
  flagsOf(2).set("adopt abc");
  expect([existsSync(others), lines]).toEqual([true, []]);
  const elsewhere = mkdtempSync(path.join(os.tmpdir(), "datapipes-linked-"));
  rmSync(place, { recursive: true });
  symlinkSync(elsewhere, place);
  flagsOf(3).set("adopt abc");
  expect([readdirSync(elsewhere), lines.length]).toEqual([[], 1]);
  rmSync(elsewhere, { recursive: true });
});

test("one process alone claims a flag, and keeps it", () => {
  const [one, other, next] = [flagsOf(1), flagsOf(2), flagsOf(2, "127.0.0.1:2")];
  expect([one.claim("create abc"), other.claim("create abc"), one.claim("create abc")]).toEqual([
    true,
    false,
    true,
  ]);
  expect([next.claim("create abc"), other.claim("create abd")]).toEqual([true, true]);
});

test("a process that cannot write to the temporary folder claims every flag", () => {
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  expect(flagsOf(1, "127.0.0.1:1", file).claim("create abc")).toBe(true);
});

test("flags work for a user without a name, as in many containers", () => {
  const named = jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("the user has no name");
  });
  expect(() => {
    flagsOf(1).set("adopt abc");
  }).not.toThrow();
  named.mockRestore();
});

test("a process continues without flags and warns once where it cannot write to the temporary folder", () => {
  // A file in its place refuses the folder to every user, root included.
  const file = path.join(folder, "no-folder");
  writeFileSync(file, "");
  const flags = flagsOf(1, undefined, file);
  flags.keep("abc");
  expect([flags.isKeptElsewhere("abc"), lines]).toEqual([false, []]);
  flags.set("adopt abc");
  flags.set("adopt abd");
  flags.clear("adopt abc");
  expect(flags.has("adopt abc")).toBe(false);
  expect(lines).toEqual([
    "the provider cannot use the temporary folder (ENOTDIR), in which the provider instances of a run record what they adopt or " +
      "declare. This run may delete what another provider instance adopts. Set TMPDIR to a writable folder.",
  ]);
  expect(lines[0]?.length).toBeLessThan(400);
});

test("a process warns of nothing where no flag was ever set", () => {
  expect(flagsOf(1).has("adopt abc")).toBe(false);
  expect(lines).toEqual([]);
});

test("ignores the flags of a day ago, and the next flag of any run removes them", () => {
  flagsOf(1).set("adopt abc");
  const [run = ""] = readdirSync(folder).flatMap((user) =>
    readdirSync(path.join(folder, user)).map((name) => path.join(folder, user, name)),
  );
  const [flag = ""] = readdirSync(run);
  for (const each of [path.join(run, flag), run]) utimesSync(each, 1, 1);
  expect(flagsOf(2).has("adopt abc")).toBe(false);
  flagsOf(2, "127.0.0.1:2").set("adopt abd");
  expect(existsSync(run)).toBe(false);
  flagsOf(2).set("adopt abc");
  expect(flagsOf(2).has("adopt abc")).toBe(true);
});

test("a process of the machine that has ended keeps and sets nothing", () => {
  const pid = spawnSync(process.execPath, ["-e", ""]).pid;
  const of = (processId: number) => new RunFlagFiles("127.0.0.1:1", { folder, processId });
  const [mine, gone] = [of(process.pid), of(pid)];
  gone.keep("abc");
  gone.set("adopt abc");
  expect([mine.isKeptElsewhere("abc"), mine.has("adopt abc")]).toEqual([false, false]);
  mine.keep("abc");
  mine.set("adopt abc");
  expect([gone.isKeptElsewhere("abc"), gone.has("adopt abc")]).toEqual([true, true]);
});
