import { z } from "zod";
import { inDeclaredShape } from "../../../provider/src/lifecycle/declared-shape";
import { refreshInputs } from "../../../provider/src/lifecycle/drift";
import * as schemas from "../../../provider/src/lifecycle/fields";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import { fieldAt } from "../../kit/pipe-fields";

const { identifiedBy, sharedList, unordered, updatable, writeOnly } = schemas;
const texts = () => z.array(z.string());
const lowerCase = () => schemas.normalized(texts(), (value) => value.toLowerCase());
const text = () => z.string().optional();
const book = () => z.strictObject({ title: z.string(), note: text(), lock: writeOnly(text()) });
const clasp = z.strictObject({ a: z.string(), b: texts().optional(), c: z.boolean().optional() });
const mapping = z.strictObject({
  source: z.string(),
  target: z.string(),
  excluded: unordered(texts().optional()),
  custom: z.boolean().optional(),
  keys: texts().optional(),
});
const fields = schemas.fieldsOf(
  z.strictObject({
    tags: updatable(unordered(texts()).optional()),
    own: sharedList(updatable(unordered(texts()).optional())),
    ids: sharedList(updatable(unordered(lowerCase()).optional())),
    entries: sharedList(updatable(identifiedBy(z.array(book()), "title", "note"))),
    mappings: updatable(identifiedBy(z.array(mapping).optional(), "source", "target")),
    books: updatable(z.array(book()).optional()),
    heap: updatable(unordered(z.array(book())).optional()),
    clasp: updatable(schemas.atomic(clasp).optional()),
  }),
  new Set(),
);

const t = { title: "t" };
const u = { title: "u" };
const t1 = { ...t, note: "1" };
const t2 = { ...t, note: "2" };
const mapped = (source: string, more: PropertyMap = {}): PropertyMap => ({ source, target: source, ...more });
const one = mapped("a");
const two = mapped("b");
const three = mapped("c");
const added = { ...u, by: 1 };
const noted = [t, { ...u, note: "n" }];
const fromServer = { ...t, note: "", by: "server" };
const sets = [mapped("a", { excluded: [], keys: ["a"] }), mapped("b", { excluded: ["b", "a"] })];
const foundSets = [mapped("b", { excluded: ["a", "b"] }), mapped("a", { excluded: null, keys: ["a"] })];
const unordered3 = [{ ...three, keys: null }, two, one];
const custom = (isCustom: boolean) => [mapped("a", { custom: isCustom })];

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
  ["an entry by its identity, in which an empty text is none", "entries", noted, [u, fromServer], [t]],
  ["no object for a text, and no text for an object", "entries", [t, "x"], ["t", { title: "x" }], []],
  ["a list in the server's order, without what it added", "books", [t], [added], [u]],
  ["what came to a list as it is, without nulls", "books", [t], [t, { ...added, note: null }], [t, added]],
  ["a text in a list where an object is declared", "books", [t], ["x"], ["x"]],
  ["an object in a list where a text is declared", "books", ["x"], [t], [t]],
  ["what is never returned as it was declared", "books", [{ ...t, lock: "k" }], [t], [{ ...t, lock: "k" }]],
  ["a member that no schema knows as found", "books", [{ odd: 1 }], [{ odd: 2 }], [{ odd: 2 }]],
  ["objects that differ in all declared members", "heap", [t1, t2], [{ ...t2, by: 1 }, t1], [t1, t2]],
  ["one found element for one declared one", "entries", [t1], [t1, t2], [t1]],
  ["identified objects without what the server added", "mappings", [one], [{ ...one, part: "new" }], [one]],
  ["the found value of a declared member", "mappings", custom(true), custom(false), custom(false)],
  ["an empty list where the API has none, a set in its order", "mappings", sets, foundSets, sets],
  ["the declared order, then entries of others", "mappings", [one, two], unordered3, [one, two, three]],
  ["no entries that another client removed", "mappings", [one, two], [two], [two]],
])("a refresh shows %s", (_, path, declared, found, shown) => {
  expect(inDeclaredShape(fieldAt(path, fields), declared, found)).toStrictEqual(shown);
});

test("matches one found element to one declared element only", () => {
  const first = { name: "a", type: "t" };
  const second = { name: "a", type: "u" };
  const columns = fieldAt("destination.columns");
  expect(inDeclaredShape(columns, [{ ...first }], [{ ...first }, { ...second }])).toEqual([first, second]);
});

test("our texts stay as spelled, where others added some and the API spells ours differently", () => {
  const observation = { declared: { ids: ["b-1"] }, lastRead: {}, current: { ids: ["A-1", "B-1"] } };
  expect(refreshInputs(fields, observation).declared).toEqual({ ids: ["b-1"] });
});

test("an empty list that the API leaves out stays declared, also where it had one before", () => {
  const observation = { declared: { tags: [] }, lastRead: { tags: ["a"] }, current: {} };
  expect(refreshInputs(fields, observation)).toEqual({ declared: { tags: [] }, omitted: [] });
});

/** A list of objects that counts how often any member of an element is read. */
function counted(elements: readonly PropertyMap[]): { list: readonly PropertyMap[]; reads: () => number } {
  let count = 0;
  const get = (element: PropertyMap, name: string | symbol): PropertyValue => {
    count += 1;
    return element[String(name)];
  };
  return { list: elements.map((element) => new Proxy(element, { get })), reads: () => count };
}

test.each(["mappings", "heap"])("long %s in reverse order are matched in linear time", (name) => {
  const COUNT = 5_000;
  const elements = Array.from({ length: COUNT }, (_, at) =>
    name === "heap" ? { title: `a${at}`, note: "x" } : { source: `a${at}`, target: "x" },
  );
  const found = counted([...elements].reverse());
  expect(inDeclaredShape(fieldAt(name, fields), elements, found.list)).toEqual(elements);
  // Each member is read a few times, however long the list is.
  expect(found.reads()).toBeLessThanOrEqual(COUNT * 10);
});
