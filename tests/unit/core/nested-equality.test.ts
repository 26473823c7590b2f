import { z } from "zod";
import { identical, sameValue } from "../../../provider/src/core/equality";
import { fieldsOf, unordered, atomic, type Field } from "../../../provider/src/core/fields";
import { UNKNOWN, type PropertyValue } from "../../../provider/src/core/property-value";
import { setDiff } from "../../../provider/src/core/set-diff";

const set = () => unordered(z.array(z.string()));
const book = () =>
  z.strictObject({ title: z.string(), tags: set(), cover: z.strictObject({ colors: set() }) });
const fields = fieldsOf(
  z.strictObject({ books: unordered(z.array(book())), lock: atomic(z.strictObject({ keys: set() })) }),
  new Set(),
);

function fieldOf(name: string): Field {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`there is no field ${name}`);
  return field;
}

test.each<[what: string, field: string, a: PropertyValue, b: PropertyValue]>([
  ["a set in an element", "books", [{ tags: ["a", "b"] }], [{ tags: ["b", "a"] }]],
  [
    "a set in an object of an element",
    "books",
    [{ cover: { colors: ["a", "b"] } }],
    [{ cover: { colors: ["b", "a"] } }],
  ],
  ["a set in an object that is compared as a whole", "lock", { keys: ["a", "b"] }, { keys: ["b", "a"] }],
  ["null in an object that is compared as a whole", "lock", { keys: ["a"], note: null }, { keys: ["a"] }],
  [
    "what no schema knows, in an element",
    "books",
    [{ new: { x: [], y: [{ z: null }] } }],
    [{ new: { y: [{}] } }],
  ],
  [
    "the order of members",
    "books",
    [{ title: "t", tags: ["a"] }, { title: "u" }],
    [{ title: "u" }, { tags: ["a"], title: "t" }],
  ],
])("ignores order and nulls in: %s", (_, name, a, b) => {
  expect(sameValue(fieldOf(name), a, b)).toBe(true);
  expect(setDiff(fieldOf(name), a, b)).toEqual({ add: [], remove: [] });
});

test.each<[what: string, field: string, a: PropertyValue, b: PropertyValue]>([
  ["the order of what no schema knows", "books", [{ new: ["a", "b"] }], [{ new: ["b", "a"] }]],
  ["another object of an element", "books", [{ cover: { colors: ["a"] } }], [{ cover: { colors: ["b"] } }]],
])("reports a difference in: %s", (_, name, a, b) => {
  expect(sameValue(fieldOf(name), a, b)).toBe(false);
});

test.each<[PropertyValue, PropertyValue, boolean]>([
  ["a", "a", true],
  [undefined, undefined, true],
  [UNKNOWN, UNKNOWN, false],
  [[1, { a: "b" }], [1, { a: "b" }], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [[1], { 0: 1 }, false],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: UNKNOWN }, { a: UNKNOWN }, false],
  [{ a: 1 }, null, false],
  [null, undefined, false],
])("%p and %p are identical: %p", (a, b, expected) => {
  expect(identical(a, b)).toBe(expected);
});
