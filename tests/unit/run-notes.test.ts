import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { RunNotes } from "../../provider/src/run-notes";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "datapipes-notes-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("a note reaches the other processes of the run, in any spelling of the id, and no other run", () => {
  new RunNotes("127.0.0.1:1", folder).leave("adopt ABC");
  const [same, other] = [new RunNotes("127.0.0.1:1", folder), new RunNotes("127.0.0.1:2", folder)];
  expect([same.has("adopt abc"), same.has("adopt abd"), other.has("adopt abc")]).toEqual([
    true,
    false,
    false,
  ]);
  same.withdraw("adopt abc");
  expect(same.has("adopt abc")).toBe(false);
});

test("notes work for a user without a name, as in many containers", () => {
  const named = jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("the user has no name");
  });
  expect(() => {
    new RunNotes("127.0.0.1:1", folder).leave("adopt abc");
  }).not.toThrow();
  named.mockRestore();
});
