import {
  containsUnknown,
  formatPath,
  omit,
  pick,
  UNKNOWN,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/core/property-value";

const root: PropertyMap = { a: { b: [{ c: 1 }, null] }, n: null, u: UNKNOWN };

test("a value is found by names and indexes", () => {
  expect(valueAt(root, [])).toBe(root);
  expect(valueAt(root, ["a", "b", 0, "c"])).toBe(1);
  expect(valueAt(root, ["a", "b", 1])).toBeNull();
});

test("a path that ends early has no value", () => {
  expect(valueAt(root, ["n", "x"])).toBeUndefined();
  expect(valueAt(root, ["a", "b", "0"])).toBeUndefined();
  expect(valueAt(root, ["a", "b", 9, "c"])).toBeUndefined();
  expect(valueAt("text", ["length"])).toBeUndefined();
});

test("a path through something unknown leads to something unknown", () => {
  expect(valueAt(root, ["u", "x", 0])).toBe(UNKNOWN);
});

test("a value is put in its place without touching the original", () => {
  const copy = withValueAt(root, ["a", "x", "y"], 2);
  expect(copy).toEqual({ ...root, a: { b: [{ c: 1 }, null], x: { y: 2 } } });
  expect(root).toEqual({ a: { b: [{ c: 1 }, null] }, n: null, u: UNKNOWN });
});

test("an empty path returns undefined", () => {
  expect(withValueAt(root, [], 1)).toBe(root);
});

test("a member named __proto__ stays a member and changes no prototype", () => {
  const value = JSON.parse('{"__proto__": {"state": "Running"}, "a": null}') as PropertyMap;
  const clean = withoutNulls(value);
  expect(Object.keys(clean)).toEqual(["__proto__"]);
  expect(clean["state"]).toBeUndefined();
});

test("an undefined value removes the member, and creates no parents", () => {
  expect(withValueAt({ a: { b: 1, c: 2 } }, ["a", "b"], undefined)).toEqual({ a: { c: 2 } });
  expect(Object.keys(withValueAt({ a: 1 }, ["a"], undefined))).toEqual([]);
  expect(withValueAt({ a: 1 }, ["x", "y"], undefined)).toEqual({ a: 1 });
});

test("removes nulls and undefined members at any depth, and keeps the place of each list element", () => {
  const value = { a: null, b: { c: undefined, d: [{ e: null, f: 1 }, null, 2] }, g: 0, h: "", i: false };
  const clean = withoutNulls(value);
  expect(clean).toEqual({ b: { d: [{ f: 1 }, null, 2] }, g: 0, h: "", i: false });
  expect(Object.keys((clean as { b: object }).b)).toEqual(["d"]);
});

test("finds unknowns at any depth, in every copy of the package", () => {
  const unknowns: PropertyValue[] = [root, [[{ a: UNKNOWN }]], UNKNOWN];
  expect(unknowns.map(containsUnknown)).toEqual([true, true, true]);
  expect([{}, [], { a: [null, "x"] }, undefined].map(containsUnknown)).toEqual([false, false, false, false]);
  expect(UNKNOWN).toBe(Symbol.for("pulumi-datapipes.unknown"));
});

test("picks and omits members by name, and adds no absent ones", () => {
  const map = { a: 1, b: undefined, c: null };
  expect(Object.entries(pick(map, ["a", "b", "c", "d"]))).toEqual([
    ["a", 1],
    ["c", null],
  ]);
  expect(omit(map, ["a", "d"])).toEqual({ b: undefined, c: null });
});

test("a path is written as people write it", () => {
  expect(formatPath(["source", "kafka", "offset", "timestamp"])).toBe("source.kafka.offset.timestamp");
  expect(formatPath(["fieldMappings", 0, "sourceField"])).toBe("fieldMappings[0].sourceField");
  expect(formatPath([])).toBe("");
});
