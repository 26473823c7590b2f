import { inDeclaredShape } from "../../../provider/src/lifecycle/comparison/declared-shape";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { serviceSettingsSchema } from "../../../provider/src/resources/service-settings/schema";
import { fieldAt } from "../../kit/pipe-fields";
import { tableMapping } from "../../kit/pipes";

const settingsFields = fieldsOf(serviceSettingsSchema, new Set());

const SORTING_KEY = "destination.tableDefinition.sortingKey";
const ENDPOINTS = "source.kafka.reversePrivateEndpointIds";
const MAPPINGS = "source.postgres.tableMappings";

const home = { source: "192.0.2.7" };
const lab = { source: "198.51.100.0/24" };
const orders = tableMapping("orders");
const returns = tableMapping("returns");
const payments = tableMapping("payments");

const added = { ...home, createdBy: "x", description: "" };
const described = (description: string) => ({ ...home, description });
const custom = (useCustomSortingKey: boolean) => ({ ...orders, useCustomSortingKey });
const excluding = (...excludedColumns: string[]) => ({ ...orders, excludedColumns });

type Row = [claim: string, declared: PropertyValue, returned: PropertyValue, shown: PropertyValue];

test.each<Row>([
  ["the order of the API", ["a", "b"], ["b", "a"], ["b", "a"]],
  ["nothing for null", ["a"], null, undefined],
])("of an ordered list, a refresh shows %s", (_, declared, returned, shown) => {
  expect(inDeclaredShape(fieldAt(SORTING_KEY), declared, returned)).toStrictEqual(shown);
});

test.each<Row>([
  ["the last element in the place of a removed one", ["removed", "a", "b"], ["b", "a"], ["b", "a"]],
  [
    "a new element in the place of a removed one",
    ["a", "removed", "b"],
    ["b", "new", "a"],
    ["a", "new", "b"],
  ],
  ["new elements at the end", ["b"], ["a", "b", "c"], ["b", "a", "c"]],
  ["repeated elements as they are", undefined, ["a", "b", "a"], ["a", "b", "a"]],
  ["a repeated element once for the declared one", ["a"], ["b", "a", "a"], ["a", "b", "a"]],
])("of a set, a refresh shows %s", (_, declared, returned, shown) => {
  expect(inDeclaredShape(fieldAt(ENDPOINTS), declared, returned)).toStrictEqual(shown);
});

test("of a set that other clients share, a refresh shows only declared elements", () => {
  const field = fieldAt("privateEndpointIds", settingsFields);
  expect(inDeclaredShape(field, ["a", "b"], ["c", "b"])).toStrictEqual(["b"]);
});

test.each<Row>([
  ["a declared entry, without members that the server added", [home], [added, lab], [home]],
  ["no entry with another description", [described("a")], [home, described("b")], []],
  [
    "one of two entries with one source",
    [described("a")],
    [described("b"), described("a")],
    [described("a")],
  ],
  ["no text for an entry, and no entry for a text", [home, lab.source], [home.source, lab], []],
])("of the access list, a refresh shows %s", (_, declared, returned, shown) => {
  expect(inDeclaredShape(fieldAt("ipAccessList", settingsFields), declared, returned)).toStrictEqual(shown);
});

test("of two columns with the declared name, a refresh shows both", () => {
  const columns = [
    { name: "a", type: "String" },
    { name: "a", type: "Int8" },
  ];
  expect(inDeclaredShape(fieldAt("destination.columns"), columns.slice(0, 1), columns)).toEqual(columns);
});

test.each<Row>([
  ["no member that the server added", [orders], [{ ...orders, partition: "new" }], [orders]],
  ["another value of a declared member", [custom(true)], [custom(false)], [custom(false)]],
  ["false as declared, if the API omits it", [custom(false)], [orders], [custom(false)]],
  ["no true, if the API omits it", [custom(true)], [orders], [orders]],
  ["no list of columns, if the API omits it", [excluding("a")], [orders], [orders]],
  ["an empty list for null", [excluding()], [{ ...orders, excludedColumns: null }], [excluding()]],
  ["columns in the declared order", [excluding("b", "a")], [excluding("a", "b")], [excluding("b", "a")]],
  [
    "the declared order, then new mappings",
    [orders, returns],
    [payments, returns, orders],
    [orders, returns, payments],
  ],
  ["new mappings without nulls", [orders], [orders, { ...returns, sortingKeys: null }], [orders, returns]],
  [
    "new mappings without what is empty or false",
    [orders],
    [orders, { ...returns, useCustomSortingKey: false, sortingKeys: [] }],
    [orders, returns],
  ],
  ["no mapping that another client removed", [orders, returns], [returns], [returns]],
  ["a text in place of a mapping", [orders], ["orders"], ["orders"]],
])("of table mappings, a refresh shows %s", (_, declared, returned, shown) => {
  expect(inDeclaredShape(fieldAt(MAPPINGS), declared, returned)).toStrictEqual(shown);
});

/** A list of objects that counts how often any member of an element is read. */
function counted(elements: readonly PropertyMap[]): { list: readonly PropertyMap[]; reads: () => number } {
  let count = 0;
  const get = (element: PropertyMap, name: string | symbol): PropertyValue => {
    count += 1;
    return element[String(name)];
  };
  return { list: elements.map((element) => new Proxy(element, { get })), reads: () => count };
}

test("many table mappings in reverse order are matched in linear time", () => {
  const COUNT = 5_000;
  const elements = Array.from({ length: COUNT }, (_, index) => tableMapping(`table-${index}`));
  const returned = counted(elements.toReversed());
  expect(inDeclaredShape(fieldAt(MAPPINGS), elements, returned.list)).toEqual(elements);
  // Each member is read a few times, however long the list is.
  expect(returned.reads()).toBeLessThanOrEqual(COUNT * 20);
});
