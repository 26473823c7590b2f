import { z } from "zod";
import * as core from "../../../provider/src/lifecycle/comparison/changes";
import * as schemas from "../../../provider/src/lifecycle/comparison/fields";
import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { shownValue } from "../../../provider/src/lifecycle/program/replacement";
import { withProperty } from "../../kit/lifecycle";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";
import { complete } from "../../kit/pipes";

const { changesBetween } = core;
const changed = (before: PropertyMap, after: PropertyMap): string[] =>
  changesBetween(pipeFields, before, after).map(({ path, field }) => `${path}: ${field.onChange}`);

const editing = (path: string, value: PropertyValue): string[] =>
  changed(complete.kafka, withProperty(complete.kafka, path, value));

describe("an edit is one change at the field that it touches", () => {
  test.each<[path: string, value: PropertyValue, change: string]>([
    ["source.kafka.offset", undefined, "source.kafka.offset.timestamp: replace"],
    ["source.kafka.iamRole", undefined, "source.kafka.iamRole: update"],
    ["source.kafka.credentials.password", "other", "source.kafka.credentials: update"],
    ["source.kafka.credentials", undefined, "source.kafka.credentials: update"],
    ["source.kafka.reversePrivateEndpointIds.0", "other", "source.kafka.reversePrivateEndpointIds: update"],
    ["destination.columns.0.type", "String", "destination.columns: update"],
    ["fieldMappings.0.sourceField", "$.ID", "fieldMappings: update"],
  ])("also if it is a part of it or removes it: %s to %j", (path, value, change) => {
    expect(editing(path, value)).toEqual([change]);
  });

  test("of an object that holds others, at the members that differ", () => {
    const members = ["replicas", "concurrency", "replicaCpuMillicores", "replicaMemoryGb"];
    expect(editing("scaling", undefined)).toEqual(members.map((name) => `scaling.${name}: replace`));
  });
});

test("another kind of source is one change at each of the two kinds, also if both are empty", () => {
  const after = { ...complete.kafka, source: complete.postgres["source"] };
  expect(changed(complete.kafka, after)).toEqual(["source.kafka: replace", "source.postgres: replace"]);
  const empty = changed({ source: { kafka: {} } }, { source: { kinesis: {} } });
  expect(empty).toEqual(["source.kafka: replace", "source.kinesis: replace"]);
});

describe("an unknown value", () => {
  const paths = ["name", "source.kafka.credentials.password", "fieldMappings.0.sourceField"];
  test.each(paths)("is a change: %s", (path) => {
    expect(editing(path, UNKNOWN)).toHaveLength(1);
  });

  test("is a change even if the stored value is unknown too", () => {
    const both = withProperty(complete.kafka, "name", UNKNOWN);
    expect(changed(both, both)).toEqual(["name: update"]);
  });
});

test.each<[what: string, declared: PropertyMap, inputs: PropertyMap, effect: core.Change["effect"]]>([
  ["the program removes it", { scaling: { replicas: 2 } }, {}, "none"],
  ["the program declares what the API returns", {}, { scaling: { replicas: 3 } }, "none"],
  ["the program declares something else", {}, { scaling: { replicas: 2 } }, "replace"],
  ["the value is not known", {}, { scaling: { replicas: UNKNOWN } }, "replace"],
])("only the state changes unless a field needs a replacement: %s", (_, declared, inputs, effect) => {
  const stored = { declared, observed: { scaling: { replicas: 3 } } };
  const expected = [{ path: "scaling.replicas", effect }];
  expect(core.changesOfProgram(pipeFields, stored, inputs)).toMatchObject(expected);
});

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

  test("clears what the API returned, if it is empty", () => {
    const observed = { destination: { columns } };
    expect(effectsOf(observed, { destination: { columns: [] } })).toEqual(["destination.columns: update"]);
  });

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

test("changes come in the order of the fields, and there are none of other properties", () => {
  const inputs = { ...complete.kafka, state: "Running", observed: { name: "other" } };
  const edits = { "settings.dbmsMaxThreads": 1, name: "x", "scaling.replicas": 9 };
  const after = Object.entries(edits).reduce<PropertyMap>(
    (args, [path, value]) => withProperty(args, path, value),
    inputs,
  );
  const expected = ["name: update", "scaling.replicas: replace", "settings.dbmsMaxThreads: update"];
  expect(changed(complete.kafka, after)).toEqual(expected);
});

test("only a list that others do not share is a removal once the program declares none", () => {
  const list = () => schemas.updatable(z.array(z.string()).optional());
  const schema = z.strictObject({ own: list(), shared: schemas.sharedList(list()) });
  const lists = schemas.fieldsOf(schema, new Set());
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
