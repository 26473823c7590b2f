import { RunRecord, type ProgramResource } from "../../../provider/src/core/run";
import { DELETE, ID, RETAIN } from "./thing";

/** Records a check and a diff of a resource in the stack. */
function diff(run: RunRecord, key: string, policy = RETAIN, id = ID): ProgramResource {
  run.checkedInStack(key, policy, policy);
  const resource = run.checked(key);
  if (resource === undefined) throw new Error("No check was recorded.");
  resource.diffed = { id, changes: [], refused: [] };
  return resource;
}

test("a replaced resource gives its id up", () => {
  const run = new RunRecord();
  diff(run, "a");
  run.use(ID, "kept", "a");
  expect(run.ownerOf(ID)).toBe("a");
  run.giveUp(ID);
  expect(run.ownerOf(ID)).toBeUndefined();
});

test("an id that a replacement deletes can be neither adopted nor kept by another resource, and one that keeps it owns it", () => {
  const run = new RunRecord();
  run.use(ID, "replaced", "a");
  expect([run.use(ID, "adopted", "b"), run.ownerOf(ID)]).toEqual(["a", undefined]);
  expect([run.use(ID, "kept", "b"), run.ownerOf(ID)]).toEqual(["a", "b"]);
});

/** Replaces two resources, of which the second one has the id in the state. */
function replaceTwo(run: RunRecord): void {
  diff(run, "other", RETAIN, "another-id");
  diff(run, "a");
  for (const key of ["other", "a"]) run.replacedBy(key, key === "a" ? DELETE : RETAIN);
}

function replaceWithoutDiff(run: RunRecord): void {
  run.checkedInStack("a", DELETE, DELETE);
  run.replacedBy("a", DELETE);
}

/** The policies for the creator of what has the id, and for an unknown creator. */
const none = [undefined, undefined];

test.each<[what: string, record: (run: RunRecord) => unknown, policies: unknown]>([
  ["the program's for the replaced resource, in any spelling of the id", replaceTwo, ["delete", "delete"]],
  ["not that of a resource that is not replaced", (run) => diff(run, "a", DELETE), none],
  ["not that of a replaced one without a diff", replaceWithoutDiff, none],
  ["not that of the creator in the stack", (run) => diff(run, "creator"), none],
  ["not that of a new one named as the creator, to delete", (run) => run.checkedNew("creator", DELETE), none],
  [
    "that of a new one named as the creator, to retain",
    (run) => run.checkedNew("creator", RETAIN),
    ["retain", undefined],
  ],
  ["not that of another new resource", (run) => run.checkedNew("a", RETAIN), none],
])("the policy for an id that the engine deletes is %s", (_, record, expected) => {
  const run = new RunRecord();
  record(run);
  const policies = ["creator", undefined].map((key) => run.policyFor(ID.toUpperCase(), key)?.deletionPolicy);
  expect(policies).toEqual(expected);
});
