import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ImportedIds } from "../../../plugin/src/imported-ids";
import { RunFile, type IdUse } from "../../../provider/src/lifecycle/run-file";
import { temporaryFolder } from "../../../testkit/started";

let folder: string;
let lines: string[];
const ended = new Set<number>();

beforeEach(async () => {
  ended.clear();
  folder = await temporaryFolder("files");
  lines = [];
});

const RUN = "127.0.0.1:1";
const OTHER_RUN = "127.0.0.1:2";

const isAlive = (id: number): boolean => !ended.has(id);
const warn = (line: string): void => void lines.push(line);
const fileOf = (processId: number, run = RUN, more: object = {}): RunFile =>
  new RunFile(run, { folder, processId, isAlive, warn, ...more });

const adopts = (id: string, key = "a"): IdUse => ({ use: "adopts", type: "Pipe", id, key });
const has = (id: string): IdUse => ({ use: "has", type: "Pipe", id, key: "a" });

/** The folder of the user, in which the runs have theirs. */
const placeOf = (): string => path.join(folder, fs.readdirSync(folder)[0] ?? "");

test("the other processes of the run see an entry, in any spelling of its id and by its key, and no other run does", () => {
  const [mine, other, later] = [fileOf(1), fileOf(2), fileOf(2, OTHER_RUN)];
  mine.add(adopts("ABC"));
  for (const text of ["abc", "a"]) expect(other.others(text)).toEqual([adopts("abc")]);
  for (const text of ["ab", "b"]) expect(other.others(text)).toEqual([]);
  expect([mine.others("abc"), later.others("abc")]).toEqual([[], []]);
  ended.add(1);
  expect(other.others("abc")).toEqual([]);
});

test("the program's entries are apart from those of the provider instances", () => {
  const [program, plugin] = [fileOf(1, RUN, { isOfProgram: true }), fileOf(2)];
  program.add(adopts("abc"));
  expect([plugin.others("abc"), plugin.ofProgram("abc")]).toEqual([[], [adopts("abc")]]);
  ended.add(1);
  expect(plugin.ofProgram("abc")).toEqual([]);
});

test("the program reads the notes of the living provider instances, and a run without a folder takes none", () => {
  const note = { subject: 'pipe "a"', words: "a }\nb" };
  const program = fileOf(1, RUN, { isOfProgram: true });
  expect(program.notes()).toEqual([]);
  expect([2, 3].map((id) => fileOf(id).addNote(note))).toEqual([true, true]);
  expect([program.notes(), fileOf(1, OTHER_RUN).notes()]).toEqual([[note, note], []]);
  ended.add(2);
  expect(program.notes()).toEqual([note]);
  expect(new RunFile(undefined).addNote(note)).toBe(false);
});

test("a process takes back its own entry only, and can add it again", () => {
  const [one, other, reader] = [fileOf(1), fileOf(2), fileOf(3)];
  for (const file of [one, one, other]) file.add(adopts("abc"));
  const seen = () => reader.others("abc").length;
  other.remove(adopts("abc", "another"));
  expect(seen()).toBe(2);
  other.remove(adopts("ABC"));
  expect([seen(), one.others("abc")]).toEqual([1, []]);
  one.remove(adopts("abc"));
  one.remove(adopts("abc"));
  expect(seen()).toBe(0);
  one.add(adopts("abc"));
  expect(seen()).toBe(1);
});

test("a process that is writing shows no part of an entry", () => {
  const [mine, other] = [fileOf(1), fileOf(2)];
  mine.add(adopts("abc"));
  const [run = ""] = fs.readdirSync(placeOf());
  fs.appendFileSync(path.join(placeOf(), run, "1"), '{"use":"adopts","type":"Pipe","id":"abc"');
  expect(other.others("abc")).toEqual([adopts("abc")]);
});

test("the processes of a run know which id an imported resource has now", () => {
  const urn = "urn:pulumi:stack::project::datapipes:index:Pipe::name";
  const imported = [3, 4].map((process) => new ImportedIds(fileOf(process)));
  imported[0]?.compared(urn, "new");
  expect(imported.map((ids) => ["old", "NEW"].map((id) => ids.replacementOf(urn, id)))).toEqual(
    imported.map(() => ["new", undefined]),
  );
  expect(imported[1]?.replacementOf(urn.slice(0, -1), "old")).toBeUndefined();
});

test("one process alone takes an id, in any spelling, and keeps it while it lives", () => {
  const [one, other, next] = [fileOf(1), fileOf(2), fileOf(2, OTHER_RUN)];
  expect([one.take("abc"), other.take("ABC"), one.take("abc")]).toEqual([true, false, true]);
  expect([next.take("abc"), other.take("abd")]).toEqual([true, true]);
  ended.add(1);
  expect([other.take("abc"), fileOf(3).take("abc")]).toEqual([true, false]);
});

test("removes only folders of runs, and uses no link that another user may have made", () => {
  fileOf(1).add(adopts("abc"));
  const place = placeOf();
  const others = path.join(place, "others");
  fs.writeFileSync(others, "");
  fs.utimesSync(others, 1, 1);
  fileOf(2).add(adopts("abc"));
  expect([fs.existsSync(others), lines]).toEqual([true, []]);
  const elsewhere = fs.mkdtempSync(path.join(folder, "linked-"));
  fs.rmSync(place, { recursive: true });
  fs.symlinkSync(elsewhere, place);
  fileOf(3).add(adopts("abc"));
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
  const [mine, other] = [fileOf(1), fileOf(2)];
  other.add(adopts("abc"));
  other.take("abc");
  mine.add(has("mine"));
  expect([mine.others("abc").length, mine.take("abc")]).toEqual([1, false]);
  const place = placeOf();
  execFileSync("sh", ["-c", command, place]);
  if (command === "true") jest.spyOn(process, "getuid").mockReturnValue(4711);
  const before = fs.readdirSync(folder, { recursive: true }).length;
  expect([mine.others("abc"), mine.take("abc")]).toEqual([[], true]);
  mine.add(adopts("abd"));
  mine.remove(has("mine"));
  jest.restoreAllMocks();
  expect(fs.readdirSync(folder, { recursive: true })).toHaveLength(before);
  const warning = `cannot use the temporary folder (${place} ${says}), in which`;
  expect(lines).toEqual([expect.stringContaining(warning) as string]);
});

test("a folder that is removed during the run is made again, and a warning says what is lost", () => {
  const [mine, other] = [fileOf(1), fileOf(2)];
  mine.add(has("abc"));
  other.add(has("abd"));
  const place = placeOf();
  fs.rmSync(place, { recursive: true });
  expect([mine.others("abd"), lines.length]).toEqual([[], 1]);
  expect(lines[0]).toContain(`(${place} was removed during the run)`);
  other.add(has("abe"));
  expect([mine.others("abe").length, fs.lstatSync(place).mode & 0o777]).toEqual([1, 0o700]);
});

test("works for a user without a name, as in many containers", () => {
  const named = jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("the user has no name");
  });
  fileOf(1).add(adopts("abc"));
  named.mockRestore();
});

test("a process continues alone where it cannot write to the temporary folder, and warns once of what few programs need", () => {
  // A file in its place refuses the folder to every user, root included.
  const place = path.join(folder, "file");
  fs.writeFileSync(place, "");
  expect(fileOf(1, RUN, { folder: place }).take("abc")).toBe(true);
  lines = [];
  const file = fileOf(1, RUN, { folder: place });
  file.add(has("abc"));
  expect([file.others("abc"), lines]).toEqual([[], []]);
  for (const use of ["adopts", "reads", "declares"] as const) file.add({ ...has("abc"), use });
  file.remove(adopts("abc"));
  expect(lines).toEqual([
    "the provider cannot use the temporary folder (ENOTDIR), in which the provider instances of a run record what they adopt or " +
      "declare. This run may delete what another provider instance, or a resource that --target or --exclude leaves out, adopts. " +
      "Set TMPDIR to a writable folder.",
  ]);
});

test("ignores the entries of a day ago, and the next entry of any run removes them", () => {
  fileOf(1).add(adopts("abc"));
  const run = path.join(placeOf(), fs.readdirSync(placeOf())[0] ?? "");
  expect(fs.statSync(path.join(run, "1")).mode & 0o077).toBe(0);
  for (const hours of [23, 25]) {
    const changed = Date.now() / 1000 - hours * 3600;
    fs.utimesSync(run, changed, changed);
    expect(fileOf(2).others("abc")).toHaveLength(hours < 24 ? 1 : 0);
  }
  fileOf(2, OTHER_RUN).add(adopts("abd"));
  expect(fs.existsSync(run)).toBe(false);
  fileOf(2).add(adopts("abc"));
  expect(fileOf(3).others("abc")).toEqual([adopts("abc")]);
});

test("a process of the machine that has ended uses nothing", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const of = (processId: number) => new RunFile(RUN, { folder, processId });
  const [mine, gone] = [of(process.pid), of(pid)];
  for (const file of [gone, mine]) file.add(adopts("abc", file === gone ? "gone" : "mine"));
  expect([mine.others("abc"), gone.others("abc")]).toEqual([[], [adopts("abc", "mine")]]);
});
