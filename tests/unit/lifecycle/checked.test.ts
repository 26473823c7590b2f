import { deletionPolicyOf, type Checked } from "../../../provider/src/lifecycle/checked";

/** A resource that the engine has compared with its state. */
const compared = (declared: string, id: string, formerKey?: string): Checked => ({
  declared,
  diffed: { id, formerKey, changes: [], refused: [] },
});

const CHECKED = new Map<string, Checked>([
  ["first", compared("delete", "0A")],
  ["second", compared("retain", "0a", "former")],
  ["deleting", { declared: "delete" }],
  ["retaining", { declared: "retain" }],
]);

test.each<[what: string, id: string, key: string | undefined, stored: string, policy: string]>([
  ["of the program, by ID and key", "0a", "first", "retain", "delete"],
  ["of the program, where another resource has the ID", "0a", "second", "delete", "retain"],
  ["of the program, by the key before an alias", "0a", "former", "delete", "retain"],
  ["of the program, by the ID without a key", "0a", undefined, "retain", "delete"],
  ["of the state, if no resource has the ID", "0b", "other", "delete", "delete"],
  [
    "of the state, if the program deletes what the engine did not compare",
    "0b",
    "deleting",
    "retain",
    "retain",
  ],
  ["of the program, if it retains what the engine did not compare", "0b", "retaining", "delete", "retain"],
])("what the engine deletes has the policy %s", (_, id, key, stored, policy) => {
  expect(deletionPolicyOf(CHECKED, id, key, stored)).toBe(policy);
});
