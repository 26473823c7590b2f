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

type Step = [before: PropertyValue, after: PropertyValue, sent: Partial<MappingSteps>];
const changed = (change: PropertyMap): Step => {
  const other = { ...b, ...change };
  return [[a, b], [a, other], { remove: [identity("b")], addLater: [other] }];
};

test.each<[what: string, ...Step]>([
  ["nothing for another order of excluded columns", [b], [{ ...b, excludedColumns: ["y", "x"] }], {}],
  ["nothing for an empty list in place of none", [a], [{ ...a, excludedColumns: [], sortingKeys: [] }], {}],
  ["nothing for no lists", undefined, [], {}],
  ["the addition of a new mapping, whole", [a], [b, a], { add: [b] }],
  ["only the identity of a removed mapping", [a, b], [a], { remove: [identity("b")] }],
  ["a removed and a new mapping at once", [a, b], [c, a], { remove: [identity("b")], add: [c] }],
  ["a second mapping of a table whose first one stays at once", [a], [a, copy], { add: [copy] }],
  ["the other of two mappings of one table later", [a, copy], [a, third], otherLater],
  ["the only one later", [a], [copy], { remove: [identity("a")], addLater: [copy] }],
  ["both of tables of one name in two schemas", [a], [audit], { remove: [identity("a")], add: [audit] }],
  ["both of names whose parts join to the same text", [left], [right], { remove: [left], add: [right] }],
  ["everything at first", undefined, [a, b], { add: [a, b] }],
  ["nothing but identities at last", [a, b], undefined, { remove: [identity("a"), identity("b")] }],
  [
    "the removal, and later the addition, of one with other excluded columns",
    ...changed({ excludedColumns: ["x"] }),
  ],
  ["both of one with another order of sorting keys", ...changed({ sortingKeys: ["l", "k"] })],
  ["both of one with another flag", ...changed({ useCustomSortingKey: false })],
  ["both of one with another target table", ...changed({ targetTable: "other" })],
])("sends %s", (_, before, after, sent) => {
  expect(steps(before, after)).toEqual({ ...NOTHING, ...sent });
});

const KEYS = ["sourceSchemaName", "sourceTable", "targetTable"] as const;
const name = fc.constantFrom("a", "b", "c");
const columns = fc.uniqueArray(fc.constantFrom("k", "l", "m"));
const names = { sourceSchemaName: name, sourceTable: name, targetTable: name };
const others = { excludedColumns: columns, sortingKeys: columns, useCustomSortingKey: fc.boolean() };
const anyMapping = fc.record<PropertyMap, never>(
  { ...names, ...others },
  { requiredKeys: [...KEYS] as never[] },
);
const keyOf = (one: PropertyMap): string => JSON.stringify(KEYS.map((key) => one[key]));
const mappings = fc.uniqueArray(anyMapping, { selector: keyOf, maxLength: 8 });

test("unchanged mappings are not sent, for any two lists", () => {
  const law = (before: PropertyMap[], after: PropertyMap[]): void => {
    const touched = new Set(Object.values(steps(before, after)).flat().map(keyOf));
    const kept = after.filter((one) => before.some((old) => sameValue(field, [old], [one])));
    expect(kept.filter((one) => touched.has(keyOf(one)))).toEqual([]);
  };
  fc.assert(fc.property(mappings, mappings, law));
});
