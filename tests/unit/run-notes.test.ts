import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { RunNotes } from "../../provider/src/run-notes";

let folder: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "datapipes-notes-"));
  lines = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const notesOf = (process: number, run = "127.0.0.1:1", place = folder): RunNotes =>
  new RunNotes(run, {
    folder: place,
    process,
    warn: (line) => {
      lines.push(line);
    },
  });

test("a note reaches the other processes of the run, in any spelling of the id, and no other run", () => {
  const mine = notesOf(1);
  mine.leave("adopt ABC");
  const [same, other] = [notesOf(2), notesOf(2, "127.0.0.1:2")];
  expect([same.has("adopt abc"), same.has("adopt abd"), other.has("adopt abc")]).toEqual([
    true,
    false,
    false,
  ]);
  mine.withdraw("adopt abc");
  expect([same.has("adopt abc"), mine.has("adopt abc")]).toEqual([false, false]);
});

test("a process removes its own note, and keeps the same note of another process", () => {
  const [one, other] = [notesOf(1), notesOf(2)];
  one.leave("adopt abc");
  other.leave("adopt abc");
  other.withdraw("adopt abc");
  expect([one.has("adopt abc"), other.has("adopt abc")]).toEqual([true, true]);
  one.withdraw("adopt abc");
  expect([one.has("adopt abc"), other.has("adopt abc")]).toEqual([false, false]);
});

test("notes work for a user without a name, as in many containers", () => {
  const named = jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("the user has no name");
  });
  expect(() => {
    notesOf(1).leave("adopt abc");
  }).not.toThrow();
  named.mockRestore();
});

test("a process goes on without notes and warns once where the temporary folder cannot be written", () => {
  // A file in its place refuses the folder to every user, root included.
  const file = path.join(folder, "no-folder");
  writeFileSync(file, "");
  const notes = notesOf(1, undefined, file);
  notes.leave("adopt abc");
  notes.leave("adopt abd");
  notes.withdraw("adopt abc");
  expect(notes.has("adopt abc")).toBe(false);
  expect(lines).toEqual([
    "the provider cannot use the temporary folder (ENOTDIR), where the provider instances of a run note what they adopt or " +
      "declare. What another instance adopts may be deleted with the resource that had it before. Set TMPDIR to a writable folder.",
  ]);
  expect(lines[0]?.length).toBeLessThan(400);
});

test("a process that only reads logs nothing where no note exists", () => {
  expect(notesOf(1).has("adopt abc")).toBe(false);
  expect(lines).toEqual([]);
});

test("notes of a day ago expire, and the next note removes them", () => {
  notesOf(1).leave("adopt abc");
  const [place = ""] = readdirSync(folder);
  const [old = ""] = readdirSync(path.join(folder, place));
  utimesSync(path.join(folder, place, old), 1, 1);
  expect(notesOf(2).has("adopt abc")).toBe(false);
  notesOf(2).leave("adopt abd");
  expect(readdirSync(path.join(folder, place))).toHaveLength(1);
});
