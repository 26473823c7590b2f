import { replacementFailures, shownValue } from "../../../provider/src/core/replacement";
import { UNKNOWN, type PropertyValue } from "../../../provider/src/core/property-value";

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
