import type { Change } from "../../../provider/src/core/changes";
import type { Field } from "../../../provider/src/core/fields";
import { replacementFailures, shownValue } from "../../../provider/src/core/replacement";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";

test.each<[value: PropertyValue, shown: string]>([
  [undefined, "nothing"],
  [UNKNOWN, "a value that is not known yet"],
  [null, "null"],
  ["a", '"a"'],
  [{ user: "u", password: "hush" }, '{"user":"u","password":"[secret]"}'],
  ["x".repeat(118), `"${"x".repeat(118)}"`],
  ["x".repeat(119), `"${"x".repeat(119)}…`],
])("a message shows %p as %s", (value, shown) => {
  expect(shownValue(value, new Set(["password"]))).toBe(shown);
});

test.each<[stored: string | undefined, declared: string | undefined, refused: boolean]>([
  ["delete", "delete", false],
  ["retain", undefined, false],
  ["delete", "retain", true],
  ["retain", "delete", true],
])(
  "without a diff, a replacement with the deletionPolicy %s in the state and %s in the program: refused %p",
  (stored, declared, refused) => {
    const resource = {
      key: "a",
      stored: { deletionPolicy: stored },
      deletionPolicy: declared,
      isReplaced: true,
    };
    const policy = { mayReplace: true, deletes: declared === "delete" };
    const failures = replacementFailures(resource, policy, () => "");
    expect(failures.map(({ path }) => path)).toEqual(refused ? [["deletionPolicy"]] : []);
  },
);

test.each<[adopt: string | undefined, olds: object, step: RegExp]>([
  [undefined, {}, /set replacementPolicy: "allow" to replace it;/],
  ["A-1", {}, /set replacementPolicy: "allow"/],
  [
    "b-2",
    {},
    /or run `pulumi state delete <URN of the resource>`, and adopt takes over b-2; to replace it instead, remove adopt\.$/,
  ],
  ["b-2", { __memory: { key: "k", adopt: "b-2" } }, /or run `pulumi state delete/],
])(
  "a refused replacement that declares adopt %j advises nothing that creates one more",
  (adopt, olds, step) => {
    const field: Field = {
      name: "topics",
      path: ["topics"],
      displayPath: "topics",
      type: "string",
      identity: [],
      onChange: "replace",
      writeOnly: false,
      secret: false,
      required: false,
    };
    const change: Change = { field, path: "topics", before: "a", after: "b", effect: "replace" };
    const diffed = { id: "a-1", olds: olds as PropertyMap, changes: [change], refused: [change] };
    const resource = { key: "k", deletionPolicy: undefined, isReplaced: true, diffed };
    const [failure] = replacementFailures(resource, { mayReplace: false, deletes: false }, String, adopt);
    expect(failure?.reason).toMatch(step);
  },
);
