import { RunRecord, type ProgramResource } from "../../../provider/src/core/run";
import { ID } from "./thing";

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

test("a message names another resource by the logical name, without those of the parents", () => {
  const run = new RunRecord();
  expect(["a", "group/inner/a"].map((key) => run.nameOf(key))).toEqual(['"a"', '"a"']);
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

  test("each resource once, and none whose replacement was checked already", () => {
    const run = new RunRecord();
    for (const key of ["a", "b"]) run.checkedInStack(key, {}, same);
    const keys = [1, 2, 3].map(() => run.diffedBy(same, undefined)?.key);
    expect(keys).toEqual(["a", "b", undefined]);
    const replacing = new RunRecord();
    replacing.checkedInStack("a", {}, same);
    expect(replacing.replacedBy("a", {})?.key).toBe("a");
    expect(replacing.diffedBy(same, "a")).toBeUndefined();
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

/** Records that a resource, of which there is no diff, is replaced. */
function replaced(run: RunRecord): void {
  run.checkedInStack("a", DELETE, DELETE);
  run.replacedBy("a", DELETE);
}

test.each<[what: string, record: (run: RunRecord) => unknown, ofCreator: unknown, ofUnknown: unknown]>([
  [
    "the program's for the replaced resource, in any spelling of the id",
    (run) => {
      diffed(run, "other", "another-id");
      diffed(run, "a");
      for (const key of ["other", "a"]) run.replacedBy(key, key === "a" ? DELETE : RETAIN);
    },
    "delete",
    "delete",
  ],
  [
    "not that of a resource that is not replaced",
    (run) => diffed(run, "a", ID, DELETE),
    undefined,
    undefined,
  ],
  ["not that of a replaced resource without a diff", replaced, undefined, undefined],
  [
    "not that of the creator, if that is in the stack",
    (run) => {
      run.checkedInStack("creator", RETAIN, RETAIN);
    },
    undefined,
    undefined,
  ],
  [
    "not that of a new one named as the creator, to delete",
    (run) => run.checkedNew("creator", DELETE),
    undefined,
    undefined,
  ],
  [
    "that of a new one named as the creator, to retain",
    (run) => run.checkedNew("creator", RETAIN),
    "retain",
    undefined,
  ],
  ["not that of another new resource", (run) => run.checkedNew("a", RETAIN), undefined, undefined],
])("the policy for an id that the engine deletes is %s", (_, record, ofCreator, ofUnknown) => {
  const run = new RunRecord();
  record(run);
  const policies = ["creator", undefined].map((key) => run.policyFor(ID.toUpperCase(), key)?.deletionPolicy);
  expect(policies).toEqual([ofCreator, ofUnknown]);
});

test.each<[what: string, createdBy: string | undefined, key: string | undefined, expected: boolean]>([
  ["if that created it", "a", "a", true],
  ["if the state does not say who created it", undefined, "a", true],
  ["if the program no longer has its creator", "gone", "a", true],
  ["but not if the program has another creator", "b", "a", false],
  ["but not if the program has its creator and this is no resource of the program", "b", undefined, false],
])("what this run deleted is replaced by a resource %s", (_, createdBy, key, expected) => {
  const run = new RunRecord();
  for (const known of ["a", "b"]) run.checkedNew(known, RETAIN);
  expect(run.isReplacementOf(ID, key)).toBe(false);
  run.recordDeleted(ID, createdBy);
  expect(run.isReplacementOf(ID.toUpperCase(), key)).toBe(expected);
});
