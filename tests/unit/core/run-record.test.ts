import { RunRecord, type ProgramResource } from "../../../provider/src/core/run";
import { ID } from "./run";

const RETAIN = { deletionPolicy: "retain" };
const DELETE = { deletionPolicy: "delete" };

/** Records a check and a diff of a resource in the stack. */
function diffed(run: RunRecord, key: string, id = ID, policy = RETAIN): ProgramResource {
  run.checkedInStack(key, policy, policy);
  const resource = run.diffedBy(policy, key);
  if (resource === undefined) throw new Error("No check was recorded.");
  resource.diffed = { id, changes: [], refused: [] };
  return resource;
}

test.each([
  ["the logical name", "a", '"a"'],
  ["the logical name without those of the parents", "group/inner/a", '"a"'],
])("a message names another resource by %s", (_, key, name) => {
  expect(new RunRecord().nameOf(key)).toBe(name);
});

describe("a diff is for", () => {
  const [same, other] = [{ name: "same" }, { name: "other" }];

  test.each<[what: string, news: typeof same, createdBy: string | undefined, key: string | undefined]>([
    ["the resource with its inputs", other, undefined, "c"],
    ["the first of several with its inputs, if the state has no key", same, undefined, "a"],
    ["the one that created what the state has", same, "b", "b"],
    ["no resource of other inputs, also where that has created what the state has", same, "c", "a"],
    ["no resource, if none was checked with its inputs", { name: "new" }, "a", undefined],
  ])("%s", (_, news, createdBy, key) => {
    const run = new RunRecord();
    for (const checked of ["a", "b"]) run.checkedInStack(checked, {}, same);
    run.checkedInStack("c", {}, other);
    expect(run.diffedBy(news, createdBy)?.key).toBe(key);
  });

  test("each resource once", () => {
    const run = new RunRecord();
    for (const key of ["a", "b"]) run.checkedInStack(key, {}, same);
    const keys = [1, 2, 3].map(() => run.diffedBy(same, undefined)?.key);
    expect(keys).toEqual(["a", "b", undefined]);
  });

  test("no resource whose replacement was checked already", () => {
    const run = new RunRecord();
    run.checkedInStack("a", {}, same);
    expect(run.replacedBy("a", {})?.key).toBe("a");
    expect(run.diffedBy(same, "a")).toBeUndefined();
  });
});

test("a replaced resource gives its id up", () => {
  const run = new RunRecord();
  diffed(run, "a");
  run.use(ID, "kept", "a");
  expect(run.ownerOf(ID)).toBe("a");
  run.replacedBy("a", RETAIN);
  expect(run.ownerOf(ID)).toBeUndefined();
});

test("an id that a replacement deletes can be neither adopted nor kept by another resource, and one that keeps it owns it", () => {
  const run = new RunRecord();
  run.use(ID, "replaced", "a");
  expect(run.use(ID, "adopted", "b")).toBe("a");
  expect(run.ownerOf(ID)).toBeUndefined();
  expect(run.use(ID, "kept", "b")).toBe("a");
  expect(run.ownerOf(ID)).toBe("b");
});

describe("the policy for an id that the engine deletes is", () => {
  const policyFor = (run: RunRecord, createdBy?: string): unknown =>
    run.policyFor(ID.toUpperCase(), createdBy)?.deletionPolicy;

  test("the program's for the replaced resource, in any spelling of the id", () => {
    const run = new RunRecord();
    diffed(run, "other", "another-id");
    diffed(run, "a");
    for (const key of ["other", "a"]) run.replacedBy(key, key === "a" ? DELETE : RETAIN);
    expect(policyFor(run)).toBe("delete");
  });

  test.each<[what: string, record: (run: RunRecord) => void]>([
    ["of a resource with the id that is not replaced", (run) => diffed(run, "a", ID, DELETE)],
    [
      "of a replaced resource that has no diff",
      (run) => {
        run.checkedInStack("a", DELETE, DELETE);
        run.replacedBy("a", DELETE);
      },
    ],
    [
      "of the creator, if that is in the stack",
      (run) => {
        run.checkedInStack("creator", RETAIN, RETAIN);
      },
    ],
    ["of a new resource with the name of the creator, to delete", (run) => run.checkedNew("creator", DELETE)],
    ["of another new resource", (run) => run.checkedNew("a", RETAIN)],
  ])("not that %s", (_, record) => {
    const run = new RunRecord();
    record(run);
    expect(policyFor(run, "creator")).toBeUndefined();
    expect(policyFor(run)).toBeUndefined();
  });

  test("that of a new resource with the name of the creator, to retain", () => {
    const run = new RunRecord();
    run.checkedNew("creator", RETAIN);
    expect(policyFor(run, "creator")).toBe("retain");
  });
});

describe("what this run deleted is replaced by a resource", () => {
  test.each<[what: string, createdBy: string | undefined, key: string | undefined, expected: boolean]>([
    ["if that created it", "a", "a", true],
    ["if the state does not say who created it", undefined, "a", true],
    ["if the program no longer has its creator", "gone", "a", true],
    ["but not if the program has another creator", "b", "a", false],
    ["but not if the program has its creator and this is no resource of the program", "b", undefined, false],
  ])("%s", (_, createdBy, key, expected) => {
    const run = new RunRecord();
    for (const known of ["a", "b"]) run.checkedNew(known, RETAIN);
    run.recordDeleted(ID, createdBy);
    expect(run.isReplacementOf(ID.toUpperCase(), key)).toBe(expected);
  });

  test("only after it was deleted", () => {
    expect(new RunRecord().isReplacementOf(ID, "a")).toBe(false);
  });
});
