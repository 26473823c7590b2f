import {
  changesBetween,
  changesOfProgram,
  isRemoval,
} from "../../../provider/src/lifecycle/comparison/changes";
import {
  list,
  optional,
  sharedList,
  text,
  updatable,
} from "../../../provider/src/lifecycle/comparison/field-schema";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import type { PropertyMap } from "../../../provider/src/lifecycle/comparison/property-value";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";

describe("a list that the program did not declare before", () => {
  const effectsOf = (observed: PropertyMap, inputs: PropertyMap): string[] =>
    changesOfProgram(pipeFields, { declared: {}, observed }, inputs).map(
      ({ path, effect }) => `${path}: ${effect}`,
    );

  test("changes nothing, if it is empty and cannot be updated", () => {
    const returned = { destination: { tableDefinition: { sortingKey: ["id"] } } };
    const declared = { destination: { tableDefinition: { sortingKey: [] } } };
    expect(effectsOf(returned, declared)).toEqual([]);
  });

  test.each([
    ["id", "none"],
    ["note", "update"],
  ])("is compared by its elements with that of the service: %s is %s", (name, effect) => {
    const columns = (column: string) => ({ destination: { columns: [{ name: column, type: "String" }] } });
    expect(effectsOf(columns("id"), columns(name))).toEqual([`destination.columns: ${effect}`]);
  });
});

test("removing an own list is a removal; removing a shared one is not", () => {
  const texts = updatable(optional(list(text)));
  const lists = fieldsOf({ own: texts, shared: sharedList(texts) }, new Set());
  const removed = changesBetween(lists, { own: ["a"], shared: ["a"] }, {});
  expect(removed.map(isRemoval)).toEqual([true, false]);
});
