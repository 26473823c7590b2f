import { z } from "zod";
import {
  normalized,
  fieldsOf,
  identifiedBy,
  immutable,
  unordered,
  updatable,
} from "../../../provider/src/core/fields";
import { isNotReturned } from "../../../provider/src/core/equality";
import type { PrivateState } from "../../../provider/src/core/private-state";
import { inDeclaredShape, refreshInputs, type Refreshed } from "../../../provider/src/core/drift";
import type { PropertyMap, PropertyValue } from "../../../provider/src/core/property-value";
import { fieldAt } from "../../../testkit/pipe-fields";

const text = () => z.string().optional();
const members = () => ({ name: text(), cpu: z.int().optional(), tags: z.array(z.string()).optional() });
const fields = fieldsOf(
  z.strictObject({
    fixed: immutable(
      z.strictObject({ ...members(), id: normalized(text(), (value) => value.toLowerCase()) }),
    ),
    open: updatable(z.strictObject({ ...members(), secret: text() })),
    columns: updatable(
      identifiedBy(z.array(z.strictObject({ name: z.string(), type: z.string() })).optional(), "name"),
    ),
    heap: updatable(unordered(z.array(z.strictObject({ a: z.string(), b: text() }))).optional()),
  }),
  new Set(),
);

/** What a refresh makes of one declared field. */
function refreshed(
  path: string,
  declared: PropertyValue,
  { before = declared, now, memory }: { before?: PropertyValue; now: PropertyValue; memory?: PrivateState },
): { readonly declared: PropertyValue; readonly omitted: readonly string[] } {
  const [part = "", name = ""] = path.split(".");
  const holding = (value: PropertyValue): PropertyMap => ({ [part]: { [name]: value } });
  const result: Refreshed = refreshInputs(fields, {
    declared: holding(declared),
    lastRead: holding(before),
    current: holding(now),
    ...(memory !== undefined && { privateState: memory }),
  });
  return { ...result, declared: (result.declared[part] as PropertyMap)[name] };
}

describe("reports no drift of an immutable field for", () => {
  test.each<[what: string, path: string, declared: PropertyValue, now: PropertyValue]>([
    ["an answer without it", "fixed.name", "a", undefined],
    ["null", "fixed.name", "a", null],
    ["an empty list", "fixed.tags", ["a"], []],
    ["a text with a unit where a number belongs", "fixed.cpu", 125, "125m"],
    ["a text of the same number", "fixed.cpu", 125, "125"],
    ["an id in capital letters", "fixed.id", "ab-1", "AB-1"],
  ])("%s", (_, path, declared, now) => {
    expect(refreshed(path, declared, { now })).toEqual({ declared, omitted: [] });
  });

  test.each<[path: string, declared: PropertyValue, now: PropertyValue]>([
    ["fixed.cpu", 125, 0],
    ["fixed.name", "Orders", "orders"],
    ["fixed.tags", ["a", "b"], ["b"]],
  ])("the value of the first read after a write: %s declared as %j, read as %j", (path, declared, now) => {
    expect(refreshed(path, declared, { now, memory: { written: true } }).declared).toEqual(declared);
    // From then on that value is known.
    expect(refreshed(path, declared, { before: now, now }).declared).toEqual(declared);
  });

  test("the declared value after another way to write it was known", () => {
    expect(refreshed("fixed.cpu", 125, { before: 0, now: 125 }).declared).toBe(125);
  });
});

describe("reports drift of an immutable field for", () => {
  test.each<[what: string, path: string, declared: PropertyValue, before: PropertyValue, now: PropertyValue]>(
    [
      ["another value at a later read", "fixed.name", "a", "a", "b"],
      [
        "another value after another way to write the declared one",
        "fixed.name",
        "Orders",
        "orders",
        "other",
      ],
      ["zero at a later read", "fixed.cpu", 125, 125, 0],
      ["another id", "fixed.id", "ab-1", "AB-1", "ab-2"],
      ["another list", "fixed.tags", ["a", "b"], ["a", "b"], ["b", "a"]],
    ],
  )("%s", (_, path, declared, before, now) => {
    expect(refreshed(path, declared, { before, now, memory: { omitted: [path] } }).declared).toEqual(now);
  });
});

describe("of an updatable field", () => {
  test.each<[what: string, now: PropertyValue]>([
    ["another value", "b"],
    ["no value", undefined],
  ])("reports %s as drift, also at the first read after a write", (_, now) => {
    for (const memory of [{}, { written: true }, { written: true, sent: ["open.secret"] }])
      expect(refreshed("open.name", "a", { now, memory })).toEqual({ declared: now, omitted: [] });
  });

  test("a masked form costs one update, and is known after it", () => {
    // The read after the create finds the mask, so the next preview shows an update.
    expect(refreshed("open.secret", "key", { now: "***", memory: { written: true } }).declared).toBe("***");
    // The update sent the value, and the service states the same mask again.
    const memory = { written: true, sent: ["open.secret"], former: { open: { secret: "***" } } };
    expect(refreshed("open.secret", "key", { now: "***", memory }).declared).toBe("key");
    // The mask is stored as what the service states; a value of another form is a change made elsewhere.
    expect(refreshed("open.secret", "key", { before: "***", now: "***" }).declared).toBe("key");
    expect(refreshed("open.secret", "key", { before: "***", now: "****" }).declared).toBe("****");
  });

  test("an update does not hide what was changed elsewhere after it", () => {
    const memory = { written: true, sent: ["open.secret"], former: { open: { secret: "***" } } };
    expect(refreshed("open.secret", "key", { now: "other", memory }).declared).toBe("other");
  });

  test("a value that the API leaves out costs one update, and is known to be left out after it", () => {
    expect(refreshed("open.name", "a", { now: undefined }).declared).toBeUndefined();
    const memory = { written: true, sent: ["open.name"], former: {} };
    expect(refreshed("open.name", "a", { now: undefined, memory })).toEqual({
      declared: "a",
      omitted: ["open.name"],
    });
    const known = { omitted: ["open.name"] };
    expect(refreshed("open.name", "a", { now: undefined, memory: known })).toEqual({
      declared: "a",
      omitted: ["open.name"],
    });
    // Once the API states it again, it is compared again.
    expect(refreshed("open.name", "a", { now: "b", memory: known })).toEqual({ declared: "b", omitted: [] });
  });

  test("reports no drift for a value that neither read returns", () => {
    expect(refreshed("open.name", "a", { before: null, now: undefined }).declared).toBe("a");
  });
});

test.each<[path: string, value: PropertyValue, expected: boolean]>([
  ["scaling.replicaCpuMillicores", undefined, true],
  ["scaling.replicaCpuMillicores", null, true],
  ["scaling.replicaCpuMillicores", "125m", true],
  ["scaling.replicaCpuMillicores", "", true],
  ["scaling.replicaCpuMillicores", "about 125", true],
  ["scaling.replicaCpuMillicores", "125", false],
  ["scaling.replicaCpuMillicores", "-1.5", false],
  ["scaling.replicaCpuMillicores", 0, false],
  ["destination.tableDefinition.sortingKey", [], true],
  ["destination.tableDefinition.sortingKey", ["a"], false],
  ["destination.table", "", false],
  ["destination.managedTable", false, false],
])("%s as %j counts as not returned: %p", (path, value, expected) => {
  expect(isNotReturned(fieldAt(path), value)).toBe(expected);
});

describe("long lists in reverse order", () => {
  const COUNT = 5_000;
  /** A list of objects that counts how often any member of an element is read. */
  function counted(elements: readonly PropertyMap[]): { list: PropertyValue; reads: () => number } {
    let count = 0;
    const list = elements.map((element) =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          Object.entries(element).map(([name, value]) => [
            name,
            {
              enumerable: true,
              get: () => {
                count += 1;
                return value;
              },
            },
          ]),
        ),
      ),
    ) as PropertyMap[];
    return { list, reads: () => count };
  }

  test.each(["columns", "heap"])("%s are matched in linear time", (name) => {
    const field = fieldAt(name, fields);
    const elements = Array.from({ length: COUNT }, (_, at) =>
      name === "heap" ? { a: `a${at}`, b: "x" } : { name: `a${at}`, type: "String" },
    );
    const found = counted([...elements].reverse());
    expect(inDeclaredShape(field, elements, found.list)).toEqual(elements);
    // Each member is read a few times, however long the list is.
    expect(found.reads()).toBeLessThanOrEqual(COUNT * 10);
  });
});
