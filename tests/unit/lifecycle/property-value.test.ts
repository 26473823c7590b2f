import { isNotReturned, sameValue } from "../../../provider/src/lifecycle/comparison/equality";
import * as values from "../../../provider/src/lifecycle/comparison/property-value";
import { fieldAt } from "../../kit/pipe-fields";

type PropertyMap = values.PropertyMap;
type PropertyValue = values.PropertyValue;
const UNKNOWN: typeof values.UNKNOWN = values.UNKNOWN;

const root: PropertyMap = { a: { b: [{ c: 1 }, null] }, n: null, u: UNKNOWN };

test.each(["constructor", "__proto__", "toString"])(
  "an inherited member of objects counts only if it is an own one: %s",
  (name) => {
    const own = JSON.parse(`{"${name}": {}}`) as PropertyMap;
    expect(values.valueAt({}, [name])).toBeUndefined();
    expect(values.valueAt(own, [name])).toEqual({});
    expect(sameValue(undefined, own, { a: {} })).toBe(false);
  },
);

test.each<[from: PropertyValue, path: (string | number)[], value: PropertyValue]>([
  [root, [], root],
  [root, ["a", "b", 0, "c"], 1],
  [root, ["a", "b", 1], null],
  [root, ["n", "x"], undefined],
  [root, ["a", "b", "0"], undefined],
  [root, ["a", "b", 9, "c"], undefined],
  ["text", ["length"], undefined],
  // What is in something unknown is unknown.
  [root, ["u", "x", 0], UNKNOWN],
])("in %p, valueAt finds at %j the value %p", (from, path, value) => {
  expect(values.valueAt(from, path)).toBe(value);
});

test("a member named __proto__ stays a member and changes no prototype", () => {
  const clean = values.withoutNulls(
    JSON.parse('{"__proto__": {"state": "Running"}, "a": null}') as PropertyMap,
  );
  expect(Object.keys(clean)).toEqual(["__proto__"]);
  expect(clean["state"]).toBeUndefined();
});

test("finds unknowns at any depth, in every copy of the package", () => {
  const unknowns: PropertyValue[] = [root, [[{ a: UNKNOWN }]], UNKNOWN];
  expect(unknowns.filter((value) => !values.containsUnknown(value))).toEqual([]);
  expect([{}, [], { a: [null, "x"] }, undefined].filter(values.containsUnknown)).toEqual([]);
  expect(UNKNOWN).toBe(Symbol.for("pulumi-datapipes.unknown"));
});

const MAPPINGS = "source.postgres.tableMappings";
const ENDPOINTS = "source.kafka.reversePrivateEndpointIds";
const CREDENTIALS = "source.kafka.credentials";
const SORTING_KEY = "destination.tableDefinition.sortingKey";
const table = { sourceSchemaName: "s", sourceTable: "t", targetTable: "u" };
const mapping = (more: PropertyMap = {}): PropertyMap => ({ ...table, ...more });
const other = mapping({ sourceTable: "v", targetTable: "w" });
const a = { name: "a", type: "t" };
const b = { name: "b", type: "t" };
const endpointId = "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01";
const login = (username: string, password: string) => ({ username, password });

test.each<[path: string, a: PropertyValue, b: PropertyValue]>([
  ["name", null, undefined],
  ["scaling.replicas", 1, "1"],
  ["scaling.replicaMemoryGb", 1.5, "1.50"],
  ["name", "5432", 5432],
  ["destination.roles", [], null],
  ["destination.roles", ["a", "b"], ["b", "a"]],
  [ENDPOINTS, ["1", "2", "3"], ["3", "1", "2"]],
  [ENDPOINTS, ["1", endpointId], [endpointId.toUpperCase(), "1"]],
  ["destination.columns", [a, b], [{ type: "t", name: "b" }, a]],
  [MAPPINGS, [mapping(), other], [other, mapping()]],
  [MAPPINGS, [mapping({ excludedColumns: [] })], [mapping()]],
  [MAPPINGS, [mapping({ sortingKeys: null })], [mapping()]],
  [MAPPINGS, [mapping({ excludedColumns: ["a", "b"] })], [mapping({ excludedColumns: ["b", "a"] })]],
  [CREDENTIALS, login("u", "p"), { password: "p", username: "u" }],
])("for %s, %p and %p are the same", (path, a, b) => {
  expect(sameValue(fieldAt(path), a, b)).toBe(true);
  expect(sameValue(fieldAt(path), b, a)).toBe(true);
});

test.each<[path: string, a: PropertyValue, b: PropertyValue]>([
  [ENDPOINTS, ["not-a-uuid"], ["NOT-A-UUID"]],
  ["name", "a", "A"],
  ["name", "", undefined],
  ["scaling.replicas", 0, undefined],
  ["scaling.replicas", 1, "one"],
  ["scaling.replicas", 0, ""],
  ["destination.managedTable", true, "true"],
  ["destination.managedTable", false, undefined],
  ["destination.roles", ["a"], ["a", "b"]],
  ["destination.roles", ["a"], ["a", "a"]],
  [SORTING_KEY, ["a", "b"], ["b", "a"]],
  [MAPPINGS, [mapping({ sortingKeys: ["a", "b"] })], [mapping({ sortingKeys: ["b", "a"] })]],
  // The order counts in a list that the schema does not know.
  [MAPPINGS, [mapping({ new: ["a", "b"] })], [mapping({ new: ["b", "a"] })]],
  [MAPPINGS, [mapping({ useCustomSortingKey: false })], [mapping()]],
  [CREDENTIALS, login("u", "p"), login("p", "u")],
  ["name", UNKNOWN, "a"],
  ["destination.columns", [{ name: "a" }], [{ name: "a", type: UNKNOWN }]],
  ["destination.roles", ["a", UNKNOWN], ["a", UNKNOWN]],
])("for %s, %p and %p differ", (path, a, b) => {
  expect(sameValue(fieldAt(path), a, b)).toBe(false);
  expect(sameValue(fieldAt(path), b, a)).toBe(false);
});

test.each<[path: string, value: PropertyValue, isMissing: boolean]>([
  ["scaling.replicaCpuMillicores", undefined, true],
  ["scaling.replicaCpuMillicores", null, true],
  ["scaling.replicaCpuMillicores", "125m", true],
  ["scaling.replicaCpuMillicores", "", true],
  ["scaling.replicaCpuMillicores", "about 125", true],
  [SORTING_KEY, [], true],
  ["scaling.replicaCpuMillicores", "125", false],
  ["scaling.replicaCpuMillicores", "-1.5", false],
  ["scaling.replicaCpuMillicores", 0, false],
  [SORTING_KEY, ["a"], false],
  ["destination.table", "", false],
  ["destination.managedTable", false, false],
])("whether %s counts as not returned if the API returns %j: %p", (path, value, isMissing) => {
  expect(isNotReturned(fieldAt(path), value)).toBe(isMissing);
});
