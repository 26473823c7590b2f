import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ImportedIds } from "../../plugin/src/imported-ids";
import { RunFlagFiles } from "../../provider/src/run-flags";

let folder: string;
let lines: string[];
const ended = new Set<number>();

beforeEach(() => {
  ended.clear();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "datapipes-flags-"));
  lines = [];
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const RUN = "127.0.0.1:1";
const OTHER_RUN = "127.0.0.1:2";
const ADOPT = "adopt abc";
const CREATE = "create abc";

const flagsOf = (processId: number, run = RUN, place = folder): RunFlagFiles =>
  new RunFlagFiles(run, {
    folder: place,
    processId,
    isAlive: (id) => !ended.has(id),
    warn: (line) => void lines.push(line),
  });

/** The folder of the user, in which the runs have theirs. */
const placeOf = (): string => path.join(folder, fs.readdirSync(folder)[0] ?? "");

test("a flag is set for the other processes of the run, and for no other run", () => {
  const [mine, same, other] = [flagsOf(1), flagsOf(2), flagsOf(2, OTHER_RUN)];
  mine.set(ADOPT);
  expect([same.has(ADOPT), same.has("adopt abd"), other.has(ADOPT)]).toEqual([true, false, false]);
  mine.clear(ADOPT);
  expect([same.has(ADOPT), mine.has(ADOPT)]).toEqual([false, false]);
});

test("a process clears its own flag, and keeps the same flag of another process", () => {
  const [one, other] = [flagsOf(1), flagsOf(2)];
  one.set(ADOPT);
  other.set(ADOPT);
  other.clear(ADOPT);
  expect([one.has(ADOPT), other.has(ADOPT)]).toEqual([true, true]);
  one.clear(ADOPT);
  expect([one.has(ADOPT), other.has(ADOPT)]).toEqual([false, false]);
});

test("an id that a living process of the run keeps is kept elsewhere, in any spelling, but not for that process", () => {
  const [mine, other, later] = [flagsOf(1), flagsOf(2), flagsOf(2, OTHER_RUN)];
  mine.keep("ABC");
  mine.keep("abd");
  const seen = () => ["abc", "ABD", "ab"].map((id) => other.isKeptElsewhere(id));
  expect(seen()).toEqual([true, true, false]);
  expect([mine.isKeptElsewhere("abc"), later.isKeptElsewhere("abc")]).toEqual([false, false]);
  ended.add(1);
  expect(seen()).toEqual([false, false, false]);
});

test("the living processes of a run share lists of lines", () => {
  const [mine, other, later] = [flagsOf(1), flagsOf(2), flagsOf(2, OTHER_RUN)];
  mine.append("list", "one");
  other.append("list", "two");
  other.append("another list", "three");
  const seen = () => [mine, other, later].map((flags) => flags.lines("list").filter((line) => line !== ""));
  expect(seen()).toEqual([["one", "two"], ["one", "two"], []]);
  ended.add(1);
  expect(seen()).toEqual([["two"], ["two"], []]);
  const imported = [3, 4].map((process) => new ImportedIds(flagsOf(process)));
  imported[0]?.compared("urn", "new");
  expect(imported.map((ids) => ["old", "NEW"].map((id) => ids.replacementOf("urn", id)))).toEqual(
    imported.map(() => ["new", undefined]),
  );
  expect(imported[1]?.replacementOf("ur", "old")).toBeUndefined();
});

test("an earlier run with the same address, whose processes have ended, sets and claims nothing", () => {
  const [earlier, mine, other] = [flagsOf(1), flagsOf(2), flagsOf(3)];
  earlier.set(ADOPT);
  earlier.claim(CREATE);
  expect([mine.has(ADOPT), mine.claim(CREATE)]).toEqual([true, false]);
  ended.add(1);
  expect([mine.has(ADOPT), mine.claim(CREATE), other.claim(CREATE)]).toEqual([false, true, false]);
});

test("one process alone claims a flag, and keeps it", () => {
  const [one, other, next] = [flagsOf(1), flagsOf(2), flagsOf(2, OTHER_RUN)];
  expect([one, other, one].map((flags) => flags.claim(CREATE))).toEqual([true, false, true]);
  expect([next.claim(CREATE), other.claim("create abd")]).toEqual([true, true]);
});

test("removes only folders of runs, and uses no link that another user may have made", () => {
  flagsOf(1).set(ADOPT);
  const place = placeOf();
  const others = path.join(place, "others");
  fs.writeFileSync(others, "");
  fs.utimesSync(others, 1, 1);
  flagsOf(2).set(ADOPT);
  expect([fs.existsSync(others), lines]).toEqual([true, []]);
  const elsewhere = fs.mkdtempSync(path.join(folder, "linked-"));
  fs.rmSync(place, { recursive: true });
  fs.symlinkSync(elsewhere, place);
  flagsOf(3).set(ADOPT);
  expect([fs.readdirSync(elsewhere), lines.length]).toEqual([[], 1]);
});

/** What may become of the folder while the run goes on, and what the warning says of it. */
test.each<[says: string, command: string]>([
  ["is a symbolic link", "mv $0 $0-moved && ln -s $0-moved $0"],
  ["is not a folder", "rm -r $0 && touch $0"],
  ["can be written to by other users", "chmod 770 $0"],
  ["can be written to by other users", "chmod 702 $0"],
  ["belongs to another user", "true"],
])("no use of the folder follows when it %s, and a warning says so once: %s", (says, command) => {
  const [mine, other] = [flagsOf(1), flagsOf(2)];
  other.set(ADOPT);
  other.keep("abc");
  expect([mine.has(ADOPT), mine.isKeptElsewhere("abc")]).toEqual([true, true]);
  mine.set("mine");
  const place = placeOf();
  execFileSync("sh", ["-c", command, place]);
  if (command === "true") jest.spyOn(process, "getuid").mockReturnValue(4711);
  const before = fs.readdirSync(folder, { recursive: true }).length;
  expect([mine.isKeptElsewhere("abc"), mine.has(ADOPT), mine.claim(CREATE)]).toEqual([false, false, true]);
  mine.keep("abd");
  mine.set("adopt abd");
  mine.clear("mine");
  jest.restoreAllMocks();
  expect(fs.readdirSync(folder, { recursive: true })).toHaveLength(before);
  const warning = `cannot use the temporary folder (${place} ${says}), in which`;
  expect(lines).toEqual([expect.stringContaining(warning) as string]);
});

test("a folder that is removed during the run is made again, and a warning says what is lost", () => {
  const [mine, other] = [flagsOf(1), flagsOf(2)];
  mine.keep("abc");
  other.keep("abd");
  const place = placeOf();
  fs.rmSync(place, { recursive: true });
  expect([mine.isKeptElsewhere("abd"), lines.length]).toEqual([false, 1]);
  expect(lines[0]).toContain(`(${place} was removed during the run)`);
  other.keep("abe");
  expect([mine.isKeptElsewhere("abe"), fs.lstatSync(place).mode & 0o777]).toEqual([true, 0o700]);
});

test("flags work for a user without a name, as in many containers", () => {
  const named = jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("the user has no name");
  });
  flagsOf(1).set(ADOPT);
  named.mockRestore();
});

test("a process continues without flags, claims every one, and warns once where it cannot write to the temporary folder", () => {
  // A file in its place refuses the folder to every user, root included.
  const file = path.join(folder, "file");
  fs.writeFileSync(file, "");
  expect(flagsOf(1, RUN, file).claim(CREATE)).toBe(true);
  lines = [];
  const flags = flagsOf(1, RUN, file);
  flags.keep("abc");
  expect([flags.isKeptElsewhere("abc"), lines]).toEqual([false, []]);
  flags.set(ADOPT);
  flags.set("adopt abd");
  flags.clear(ADOPT);
  expect(flags.has(ADOPT)).toBe(false);
  expect(lines).toEqual([
    "the provider cannot use the temporary folder (ENOTDIR), in which the provider instances of a run record what they adopt or " +
      "declare. This run may delete what another provider instance, or a resource that --target or --exclude leaves out, adopts. " +
      "Set TMPDIR to a writable folder.",
  ]);
});

test("ignores the flags of a day ago, and the next flag of any run removes them", () => {
  flagsOf(1).set(ADOPT);
  const run = path.join(placeOf(), fs.readdirSync(placeOf())[0] ?? "");
  for (const each of [...fs.readdirSync(run), "."]) fs.utimesSync(path.join(run, each), 1, 1);
  expect(flagsOf(2).has(ADOPT)).toBe(false);
  flagsOf(2, OTHER_RUN).set("adopt abd");
  expect(fs.existsSync(run)).toBe(false);
  flagsOf(2).set(ADOPT);
  expect(flagsOf(2).has(ADOPT)).toBe(true);
});

test("a process of the machine that has ended keeps and sets nothing", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const of = (processId: number) => new RunFlagFiles(RUN, { folder, processId });
  const [mine, gone] = [of(process.pid), of(pid)];
  for (const flags of [gone, mine]) {
    flags.keep("abc");
    flags.set(flags === gone ? "gone" : "mine");
  }
  expect([mine.isKeptElsewhere("abc"), mine.has("gone")]).toEqual([false, false]);
  expect([gone.isKeptElsewhere("abc"), gone.has("mine")]).toEqual([true, true]);
});
