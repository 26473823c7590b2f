import * as core from "../../../provider/src/lifecycle/comparison/changes";
import * as schemas from "../../../provider/src/lifecycle/comparison/field-schema";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { shownValue } from "../../../provider/src/lifecycle/program/replacement";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";

const { changesBetween } = core;

const MAPPING = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const withMapping = (more: PropertyMap): PropertyMap => ({
  source: { postgres: { tableMappings: [{ ...MAPPING, ...more }] } },
});

test.each<[what: string, declared: PropertyMap, observed: PropertyMap, inputs: PropertyMap, effect: string]>([
  ["declared as returned", {}, { useCustomSortingKey: true }, { useCustomSortingKey: true }, "none"],
  ["declared as another value", {}, { useCustomSortingKey: true }, { useCustomSortingKey: false }, "update"],
  ["false and not declared any more", { useCustomSortingKey: false }, {}, {}, "none"],
  ["true and not declared any more", { useCustomSortingKey: true }, {}, {}, "update"],
])("a member of a table mapping may be %s", (_, declared, observed, inputs, effect) => {
  const stored = { declared: withMapping(declared), observed: withMapping(observed) };
  const effects = core
    .changesOfProgram(pipeFields, stored, withMapping(inputs))
    .map((change) => change.effect);
  expect(effects).toEqual([effect]);
});

describe("a list that the program did not declare before", () => {
  const effectsOf = (observed: PropertyMap, inputs: PropertyMap): string[] =>
    core
      .changesOfProgram(pipeFields, { declared: {}, observed }, inputs)
      .map(({ path, effect }) => `${path}: ${effect}`);
  const columns = [{ name: "id", type: "String" }];

  test("changes nothing, if it is empty and cannot be updated", () => {
    const returned = { destination: { tableDefinition: { sortingKey: ["id"] } } };
    const declared = { destination: { tableDefinition: { sortingKey: [] } } };
    expect(effectsOf(returned, declared)).toEqual([]);
  });

  test("is sent, if it has elements", () => {
    const inputs = { destination: { columns } };
    expect(effectsOf({ destination: { columns } }, inputs)).toEqual(["destination.columns: update"]);
  });
});

test("only a list that others do not share is a removal once the program declares none", () => {
  const list = schemas.updatable(schemas.optional(schemas.list(schemas.text)));
  const lists = fieldsOf({ own: list, shared: schemas.sharedList(list) }, new Set());
  const removed = changesBetween(lists, { own: ["a"], shared: ["a"] }, {});
  expect(removed.map(core.isRemoval)).toEqual([true, false]);
});

test.each<[value: PropertyValue, shown: string]>([
  [undefined, "nothing"],
  [UNKNOWN, "a value that is not known yet"],
  [null, "null"],
  ["a", '"a"'],
  [{ user: "u", password: "hush" }, '{"user":"u","password":"[secret]"}'],
  ["x".repeat(118), `"${"x".repeat(118)}"`],
  ["x".repeat(119), `"${"x".repeat(119)}…`],
])("a message shows %p as %s", (value, shown) => {
  expect(shownValue(value, new Set(["password"]))).toBe(shown);
});
