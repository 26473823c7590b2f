import { z } from "zod";
import {
  fieldsOf,
  identifiedBy,
  normalized,
  sharedList,
  unordered,
  updatable,
  atomic,
  writeOnly,
} from "../../../provider/src/core/fields";
import { currentInputs, inDeclaredShape, refreshInputs } from "../../../provider/src/core/drift";
import type { PropertyValue } from "../../../provider/src/core/property-value";
import { fieldAt } from "../../../testkit/pipe-fields";

const texts = () => z.array(z.string());
const book = () =>
  z.strictObject({ title: z.string(), note: z.string().optional(), lock: writeOnly(z.string().optional()) });
const fields = fieldsOf(
  z.strictObject({
    name: updatable(z.string().optional()),
    tags: updatable(unordered(texts()).optional()),
    own: sharedList(updatable(unordered(texts()).optional())),
    ids: sharedList(updatable(unordered(normalized(texts(), (value) => value.toLowerCase())).optional())),
    entries: sharedList(updatable(identifiedBy(z.array(book()), "title", "note"))),
    books: updatable(z.array(book()).optional()),
    heap: updatable(unordered(z.array(book())).optional()),
    clasp: updatable(
      atomic(z.strictObject({ a: z.string(), b: texts().optional(), c: z.boolean().optional() })).optional(),
    ),
  }),
  new Set(),
);

test.each<[what: string, path: string, declared: PropertyValue, found: PropertyValue, shown: PropertyValue]>([
  ["an object without what the server added", "clasp", { a: "x" }, { a: "y", extra: 1 }, { a: "y" }],
  ["an object where none is declared", "clasp", undefined, { a: "y", extra: 1 }, { a: "y", extra: 1 }],
  ["a text where an object is declared", "clasp", { a: "x" }, "y", "y"],
  ["nothing where the server has null", "clasp", { a: "x" }, null, undefined],
  ["a member away that the server lost", "clasp", { a: "x", b: ["c"] }, { a: "x" }, { a: "x" }],
  ["a member that is false and left out", "clasp", { a: "x", c: false }, { a: "x" }, { a: "x", c: false }],
  ["a member away that was true", "clasp", { a: "x", c: true }, { a: "x" }, { a: "x" }],
  ["a set in the declared order, without what is gone", "tags", ["gone", "a", "b"], ["b", "a"], ["a", "b"]],
  ["a set with what came, at the end", "tags", ["b"], ["a", "b", "c"], ["b", "a", "c"]],
  ["a set where none is declared", "tags", undefined, ["a"], ["a"]],
  ["repeated elements in the server's order", "tags", undefined, ["a", "b", "a"], ["a", "b", "a"]],
  ["repeated elements once for each declared one", "tags", ["a"], ["a", "b", "a"], ["a", "b", "a"]],
  ["our entries only, where others have some too", "own", ["a", "b"], ["c", "b"], ["b"]],
  [
    "an entry by its identity, in which an empty text is none",
    "entries",
    [{ title: "t" }, { title: "u", note: "n" }],
    [{ title: "u" }, { title: "t", note: "", by: "server" }],
    [{ title: "t" }],
  ],
  [
    "no object for a text, and no text for an object",
    "entries",
    [{ title: "t" }, "x"],
    ["t", { title: "x" }],
    [],
  ],
  [
    "a list in the server's order, without what it added",
    "books",
    [{ title: "t" }],
    [{ title: "u", by: 1 }],
    [{ title: "u" }],
  ],
  [
    "what came to a list as it is, without nulls",
    "books",
    [{ title: "t" }],
    [{ title: "t" }, { title: "u", by: 1, note: null }],
    [{ title: "t" }, { title: "u", by: 1 }],
  ],
  ["a text in a list where an object is declared", "books", [{ title: "t" }], ["x"], ["x"]],
  ["an object in a list where a text is declared", "books", ["x"], [{ title: "t" }], [{ title: "t" }]],
  [
    "what is never returned as it was declared",
    "books",
    [{ title: "t", lock: "k" }],
    [{ title: "t" }],
    [{ title: "t", lock: "k" }],
  ],
  [
    "a member that no schema knows as it is found",
    "books",
    [{ title: "t", odd: 1 }],
    [{ title: "t", odd: 2 }],
    [{ title: "t", odd: 2 }],
  ],
  [
    "objects of a set that differ in all declared members",
    "heap",
    [
      { title: "t", note: "1" },
      { title: "t", note: "2" },
    ],
    [
      { title: "t", note: "2", by: 1 },
      { title: "t", note: "1" },
    ],
    [
      { title: "t", note: "1" },
      { title: "t", note: "2" },
    ],
  ],
])("a refresh shows %s", (_, path, declared, found, shown) => {
  expect(inDeclaredShape(fieldAt(path, fields), declared, found)).toStrictEqual(shown);
});

test("our texts stay as they are spelled, where others have added some and the API spells ours differently", () => {
  const declared = { ids: ["b-1"] };
  const observation = { declared, lastRead: {}, current: { ids: ["A-1", "B-1"] } };
  expect(refreshInputs(fields, observation).declared).toEqual(declared);
});

test("an empty list that the API leaves out stays declared, also where it had one before", () => {
  const observation = { declared: { tags: [] }, lastRead: { tags: ["a"] }, current: {} };
  expect(refreshInputs(fields, observation)).toEqual({ declared: { tags: [] }, omitted: [] });
});

test("what the program does not declare is not compared with what was sent", () => {
  expect(currentInputs(fields, { name: "a" }, { name: "a", tags: ["x"] })).toStrictEqual({ name: "a" });
});
