import fc from "fast-check";
import { sameValue } from "../../../provider/src/core/equality";
import { UNKNOWN, type PropertyValue } from "../../../provider/src/core/property-value";
import { fieldAt } from "../../../testkit/pipe-fields";

const mapping = { sourceSchemaName: "s", sourceTable: "t", targetTable: "u" };
const other = { sourceSchemaName: "s", sourceTable: "v", targetTable: "w" };

const endpointId = "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01";

type Pair = [path: string, a: PropertyValue, b: PropertyValue];

const SAME: Pair[] = [
  ["name", "a", "a"],
  ["name", null, undefined],
  ["scaling.replicas", 1, "1"],
  ["scaling.replicaMemoryGb", 1.5, "1.50"],
  ["name", "5432", 5432],
  ["destination.roles", null, undefined],
  ["destination.roles", [], undefined],
  ["destination.roles", [], null],
  ["destination.roles", ["a", "b"], ["b", "a"]],
  ["source.kafka.reversePrivateEndpointIds", ["1", "2", "3"], ["3", "1", "2"]],
  ["source.kafka.reversePrivateEndpointIds", ["1", endpointId], [endpointId.toUpperCase(), "1"]],
  [
    "destination.columns",
    [
      { name: "a", type: "t" },
      { name: "b", type: "t" },
    ],
    [
      { type: "t", name: "b" },
      { type: "t", name: "a" },
    ],
  ],
  ["source.postgres.tableMappings", [mapping, other], [other, mapping]],
  ["source.postgres.tableMappings", [{ ...mapping, excludedColumns: [] }], [mapping]],
  ["source.postgres.tableMappings", [{ ...mapping, sortingKeys: null }], [mapping]],
  [
    "source.postgres.tableMappings",
    [{ ...mapping, excludedColumns: ["a", "b"] }],
    [{ ...mapping, excludedColumns: ["b", "a"] }],
  ],
  ["source.kafka.credentials", { username: "u", password: "p" }, { password: "p", username: "u" }],
  ["destination.tableDefinition.sortingKey", ["a", "b"], ["a", "b"]],
];

const DIFFERENT: Pair[] = [
  ["source.kafka.reversePrivateEndpointIds", ["not-a-uuid"], ["NOT-A-UUID"]],
  ["name", "a", "A"],
  ["name", "", undefined],
  ["scaling.replicas", 0, undefined],
  ["scaling.replicas", 1, "2"],
  ["scaling.replicas", 1, "one"],
  ["scaling.replicas", 0, ""],
  ["destination.managedTable", true, "true"],
  ["destination.managedTable", false, undefined],
  ["destination.roles", ["a"], ["a", "b"]],
  ["destination.roles", ["a"], ["a", "a"]],
  ["destination.tableDefinition.sortingKey", ["a", "b"], ["b", "a"]],
  ["destination.tableDefinition.engine.columnIds", ["a", "b"], ["b", "a"]],
  [
    "source.postgres.tableMappings",
    [{ ...mapping, sortingKeys: ["a", "b"] }],
    [{ ...mapping, sortingKeys: ["b", "a"] }],
  ],
  ["source.postgres.tableMappings", [{ ...mapping, useCustomSortingKey: false }], [mapping]],
  ["source.kafka.credentials", { username: "u", password: "p" }, { username: "p", password: "u" }],
  ["name", UNKNOWN, "a"],
  ["destination.columns", [{ name: "a" }], [{ name: "a", type: UNKNOWN }]],
  ["name", UNKNOWN, UNKNOWN],
  ["destination.roles", ["a", UNKNOWN], ["a", UNKNOWN]],
];

test.each(SAME)("%s: %p equals %p", (path, a, b) => {
  expect(sameValue(fieldAt(path), a, b)).toBe(true);
  expect(sameValue(fieldAt(path), b, a)).toBe(true);
});

test.each(DIFFERENT)("%s: %p differs from %p", (path, a, b) => {
  expect(sameValue(fieldAt(path), a, b)).toBe(false);
  expect(sameValue(fieldAt(path), b, a)).toBe(false);
});

test("a set equals itself in any order, and no other set", () => {
  const set = fc.uniqueArray(fc.string(), { maxLength: 8 });
  const shuffled = set.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, fc.string(), ([list, permutation], extra) => {
      const roles = fieldAt("destination.roles");
      expect(sameValue(roles, list, permutation)).toBe(true);
      expect(sameValue(roles, list, [...permutation, extra])).toBe(false);
    }),
  );
});
