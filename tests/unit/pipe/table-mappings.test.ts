import fc from "fast-check";
import { sameValue } from "../../../provider/src/core/equality";
import type { PropertyMap, PropertyValue } from "../../../provider/src/core/property-value";
import { mappingSteps, type MappingSteps } from "../../../provider/src/resources/pipe/table-mappings";
import { fieldAt } from "../../../testkit/pipe-fields";

const field = fieldAt("source.postgres.tableMappings");
const steps = (before: PropertyValue, after: PropertyValue): MappingSteps =>
  mappingSteps({ field, before, after });

const mapping = (sourceTable: string, more: PropertyMap = {}): PropertyMap => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable: sourceTable,
  ...more,
});
const identity = (sourceTable: string, targetTable = sourceTable) => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
});
const a = mapping("a");
const b = mapping("b", { excludedColumns: ["x", "y"], sortingKeys: ["k", "l"] });
const c = mapping("c");

const NOTHING = { remove: [], add: [], addLater: [] };

describe("nothing is sent", () => {
  test.each<[string, PropertyValue, PropertyValue]>([
    ["for equal lists", [a, b], [a, b]],
    ["for another order", [a, b, c], [c, a, b]],
    ["for another order of excluded columns", [b], [{ ...b, excludedColumns: ["y", "x"] }]],
    ["for an empty list in place of none", [a], [{ ...a, excludedColumns: [], sortingKeys: [] }]],
    ["for no lists", undefined, []],
  ])("%s", (_what, before, after) => {
    expect(steps(before, after)).toEqual(NOTHING);
  });
});

describe("what is sent", () => {
  test("for a new mapping is its addition, whole", () => {
    expect(steps([a], [b, a])).toEqual({ ...NOTHING, add: [b] });
  });

  test("for a removed mapping is only its identity", () => {
    expect(steps([a, b], [a])).toEqual({ ...NOTHING, remove: [identity("b")] });
  });

  test("for a removed and a new mapping is both at once", () => {
    expect(steps([a, b], [c, a])).toEqual({ remove: [identity("b")], add: [c], addLater: [] });
  });

  test.each<[string, PropertyMap]>([
    ["excluded columns", { ...b, excludedColumns: ["x"] }],
    ["order of sorting keys", { ...b, sortingKeys: ["l", "k"] }],
    ["a flag", { ...b, useCustomSortingKey: false }],
    ["target table", { ...b, targetTable: "other" }],
  ])("for a changed mapping (%s) is its removal, and later its addition", (_what, changed) => {
    expect(steps([a, b], [a, changed])).toEqual({ remove: [identity("b")], add: [], addLater: [changed] });
  });

  test("for a second mapping of a table whose first one stays is its addition at once", () => {
    const second = { ...a, targetTable: "copy" };
    expect(steps([a], [a, second])).toEqual({ ...NOTHING, add: [second] });
  });

  test("for two mappings of one table is the removal of the changed one, and its addition later", () => {
    const copy = { ...a, targetTable: "copy" };
    const third = { ...a, targetTable: "third" };
    expect(steps([a, copy], [a, third])).toEqual({
      remove: [identity("a", "copy")],
      add: [],
      addLater: [third],
    });
  });

  test("distinguishes tables of one name in two schemas", () => {
    const audit = { ...a, sourceSchemaName: "audit", targetTable: "audit_a" };
    expect(steps([a], [audit])).toEqual({ remove: [identity("a")], add: [audit], addLater: [] });
  });

  test("distinguishes names whose parts join to the same text", () => {
    const left = { sourceSchemaName: "x,y", sourceTable: "z", targetTable: "1" };
    const right = { sourceSchemaName: "x", sourceTable: "y,z", targetTable: "2" };
    expect(steps([left], [right])).toEqual({ remove: [left], add: [right], addLater: [] });
  });

  test("at first is everything, and at last nothing but identities", () => {
    expect(steps(undefined, [a, b])).toEqual({ ...NOTHING, add: [a, b] });
    expect(steps([a, b], undefined)).toEqual({ ...NOTHING, remove: [identity("a"), identity("b")] });
  });
});

const KEYS = ["sourceSchemaName", "sourceTable", "targetTable"] as const;
const name = fc.constantFrom("a", "b", "c");
const columns = fc.uniqueArray(fc.constantFrom("k", "l", "m"));
const anyMapping = fc.record<PropertyMap, never>(
  {
    sourceSchemaName: name,
    sourceTable: name,
    targetTable: name,
    excludedColumns: columns,
    sortingKeys: columns,
    useCustomSortingKey: fc.boolean(),
  },
  { requiredKeys: [...KEYS] as never[] },
);
const keyOf = (one: PropertyMap): string => JSON.stringify(KEYS.map((key) => one[key]));
const tableOf = (one: PropertyMap): string => keyOf({ ...one, targetTable: "" });
const mappings = fc.uniqueArray(anyMapping, { selector: keyOf, maxLength: 8 });

/** What a server makes of the two requests: removals by identity, then additions of what must not be there yet. */
function applied(before: readonly PropertyMap[], { remove, add, addLater }: MappingSteps): PropertyMap[] {
  const present = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of remove) if (!present.delete(keyOf(one))) throw new Error("It removes what is not there.");
  for (const one of [...add, ...addLater]) {
    if (present.has(keyOf(one))) throw new Error("It adds what is there.");
    present.set(keyOf(one), one);
  }
  return [...present.values()];
}

describe("for any two lists", () => {
  test("the requests turn one into the other", () => {
    fc.assert(
      fc.property(mappings, mappings, (before, after) => {
        expect(sameValue(field, applied(before, steps(before, after)), after)).toBe(true);
      }),
    );
  });

  test("no request removes and adds a mapping of one source table", () => {
    fc.assert(
      fc.property(mappings, mappings, (before, after) => {
        const { remove, add } = steps(before, after);
        const leaving = new Set(remove.map(tableOf));
        expect(add.filter((one) => leaving.has(tableOf(one)))).toEqual([]);
      }),
    );
  });

  test("no addition waits without need, and unchanged mappings are not sent", () => {
    fc.assert(
      fc.property(mappings, mappings, (before, after) => {
        const { remove, add, addLater } = steps(before, after);
        const leaving = new Set(remove.map(tableOf));
        expect(addLater.every((one) => leaving.has(tableOf(one)))).toBe(true);
        const touched = new Set([...remove, ...add, ...addLater].map(keyOf));
        const kept = after.filter((one) => before.some((old) => sameValue(field, [old], [one])));
        expect(kept.filter((one) => touched.has(keyOf(one)))).toEqual([]);
      }),
    );
  });

  test("ignores the order of mappings", () => {
    const shuffled = mappings.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, permutation]) => {
        expect(steps(list, permutation)).toEqual(NOTHING);
      }),
    );
  });
});
