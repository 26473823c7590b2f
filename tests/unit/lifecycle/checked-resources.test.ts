import { CheckedResources, type CheckedResource } from "../../../provider/src/lifecycle/checked-resources";
import { DELETE, ID, RETAIN } from "./thing";

/** Records a check and a diff of a resource in the stack. */
function diff(run: CheckedResources, key: string, policy = RETAIN, id = ID): CheckedResource {
  run.checkedInStack(key, policy, policy);
  const resource = run.checked(key);
  if (resource === undefined) throw new Error("No check was recorded.");
  resource.diffed = { id, changes: [], refused: [] };
  return resource;
}

/** Replaces two resources, of which the second one has the id in the state. */
function replaceTwo(run: CheckedResources): void {
  diff(run, "other", RETAIN, "another-id");
  diff(run, "a");
  for (const key of ["other", "a"]) run.markReplaced(key, key === "a" ? DELETE : RETAIN);
}

function replaceWithoutDiff(run: CheckedResources): void {
  run.checkedInStack("a", DELETE, DELETE);
  run.markReplaced("a", DELETE);
}

/** The policies for the creator of what has the id, and for an unknown creator. */
const none = [undefined, undefined];
const created = ["retain", undefined];

test.each<[what: string, record: (run: CheckedResources) => unknown, policies: unknown]>([
  ["the program's for the replaced resource, in any spelling of the id", replaceTwo, ["delete", "delete"]],
  ["not that of a resource that is not replaced", (run) => diff(run, "a", DELETE), none],
  ["not that of a replaced one without a diff", replaceWithoutDiff, none],
  ["not that of the creator in the stack", (run) => diff(run, "creator"), none],
  ["not that of a new one named as the creator, to delete", (run) => run.checkedNew("creator", DELETE), none],
  ["that of a new one named as the creator, to retain", (run) => run.checkedNew("creator", RETAIN), created],
  ["not that of another new resource", (run) => run.checkedNew("a", RETAIN), none],
])("the policy for an id that the engine deletes is %s", (_, record, expected) => {
  const run = new CheckedResources();
  record(run);
  const policies = ["creator", undefined].map((key) => run.policyFor(ID.toUpperCase(), key)?.deletionPolicy);
  expect(policies).toEqual(expected);
});
