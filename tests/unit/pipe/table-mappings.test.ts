import fc from "fast-check";
import { sameValue } from "../../../provider/src/lifecycle/comparison/equality";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { mappingSteps, type MappingSteps } from "../../../provider/src/resources/pipe/table-mappings";
import { fieldAt } from "../../kit/pipe-fields";
import { tableMapping as identity } from "../../kit/pipes";

const field = fieldAt("source.postgres.tableMappings");
const steps = (before: PropertyValue, after: PropertyValue): MappingSteps =>
  mappingSteps({ field, before, after });

const mapping = (table: string, more: PropertyMap = {}): PropertyMap => ({ ...identity(table), ...more });
const a = mapping("a");
const b = mapping("b", { excludedColumns: ["x", "y"], sortingKeys: ["k", "l"] });
const c = mapping("c");

const NOTHING = { remove: [], add: [], addLater: [] };
const copy = { ...a, targetTable: "copy" };
const third = { ...a, targetTable: "third" };
const otherLater = { remove: [identity("a", "copy")], addLater: [third] };
const audit = { ...a, sourceSchemaName: "audit", targetTable: "audit_a" };
const left = { sourceSchemaName: "x,y", sourceTable: "z", targetTable: "1" };
const right = { sourceSchemaName: "x", sourceTable: "y,z", targetTable: "2" };

test.each<[what: string, before: PropertyValue, after: PropertyValue, sent: Partial<MappingSteps>]>([
  ["nothing for another order of excluded columns", [b], [{ ...b, excludedColumns: ["y", "x"] }], {}],
  ["nothing for an empty list in place of none", [a], [{ ...a, excludedColumns: [], sortingKeys: [] }], {}],
  ["nothing for no lists", undefined, [], {}],
  ["the addition of a new mapping, whole", [a], [b, a], { add: [b] }],
  ["only the identity of a removed mapping", [a, b], [a], { remove: [identity("b")] }],
  ["a removed and a new mapping at once", [a, b], [c, a], { remove: [identity("b")], add: [c] }],
  ["at once a second mapping of a table whose first one stays", [a], [a, copy], { add: [copy] }],
  ["later the other of two mappings of one table", [a, copy], [a, third], otherLater],
  ["at once tables of one name in two schemas", [a], [audit], { remove: [identity("a")], add: [audit] }],
  ["at once tables whose names join to one text", [left], [right], { remove: [left], add: [right] }],
  ["all mappings where there were none", undefined, [a, b], { add: [a, b] }],
  ["only identities if all go", [a, b], undefined, { remove: [identity("a"), identity("b")] }],
])("sends %s", (_, before, after, sent) => {
  expect(steps(before, after)).toEqual({ ...NOTHING, ...sent });
});

test.each<[what: string, change: PropertyMap]>([
  ["list of excluded columns", { excludedColumns: ["x"] }],
  ["order of sorting keys", { sortingKeys: ["l", "k"] }],
  ["flag", { useCustomSortingKey: false }],
  ["target table", { targetTable: "other" }],
])("sends the removal, and later the addition, of a mapping with another %s", (_, change) => {
  const changed = { ...b, ...change };
  expect(steps([a, b], [a, changed])).toEqual({ ...NOTHING, remove: [identity("b")], addLater: [changed] });
});

const name = fc.constantFrom("a", "b", "c");
const columns = fc.uniqueArray(fc.constantFrom("k", "l", "m"));
const KEYS = { sourceSchemaName: name, sourceTable: name, targetTable: name };
const OTHERS = { excludedColumns: columns, sortingKeys: columns, useCustomSortingKey: fc.boolean() };
const anyMapping = fc
  .tuple(fc.record(KEYS), fc.record(OTHERS, { requiredKeys: [] }))
  .map(([keys, others]): PropertyMap => ({ ...keys, ...others }));
const keyOf = (one: PropertyMap): string => JSON.stringify(Object.keys(KEYS).map((key) => one[key]));
const mappings = fc.uniqueArray(anyMapping, { selector: keyOf, maxLength: 8 });

test("sends no unchanged mapping, for any two lists", () => {
  const law = (before: PropertyMap[], after: PropertyMap[]): void => {
    const touched = new Set(Object.values(steps(before, after)).flat().map(keyOf));
    const kept = after.filter((one) => before.some((old) => sameValue(field, [old], [one])));
    expect(kept.filter((one) => touched.has(keyOf(one)))).toEqual([]);
  };
  fc.assert(fc.property(mappings, mappings, law));
});
