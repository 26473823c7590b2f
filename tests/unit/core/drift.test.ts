import {
  currentInputs,
  importedInputs,
  inDeclaredShape,
  refreshInputs,
} from "../../../provider/src/core/drift";
import type { PropertyMap, PropertyValue } from "../../../provider/src/core/property-value";
import { complete } from "../../../testkit/pipes";
import { edited } from "../../../testkit/offline";
import { fieldAt, pipeFields } from "../../../testkit/pipe-fields";

const mapping = { sourceSchemaName: "s", sourceTable: "t", targetTable: "u" };
const other = { sourceSchemaName: "s", sourceTable: "v", targetTable: "w" };

/** What is declared after the API turned `before` into `now`. */
const refreshed = (declared: PropertyMap, before: PropertyMap, now: PropertyMap): PropertyMap =>
  refreshInputs(pipeFields, { declared, lastRead: before, current: now }).declared;

describe("a refresh", () => {
  test("returns the declared inputs, the same object, when nothing changed", () => {
    expect(refreshed(complete.postgres, complete.postgres, complete.postgres)).toBe(complete.postgres);
  });

  test.each<[path: string, value: PropertyValue]>([
    ["name", "renamed by hand"],
    ["source.postgres.host", "moved.example"],
    ["source.postgres.settings.syncIntervalSeconds", 31],
    ["source.postgres.settings.publicationName", "another"],
    ["source.postgres.tableMappings", [mapping]],
    ["destination.columns.0.type", "String"],
    ["destination.tableDefinition.sortingKey", ["note"]],
    ["fieldMappings.1.sourceField", "$.other"],
    ["scaling.replicas", 9],
  ])("shows what another client changed: %s", (path, value) => {
    const declared = { ...complete.postgres, name: "orders" };
    const now = edited(declared, path, value);
    expect(refreshed(declared, declared, now)).toEqual(now);
  });

  test.each<[what: string, lost: PropertyValue]>([
    ["leaves it out", undefined],
    ["returns null for it", null],
  ])("removes a declared value that an update can restore, if the API now %s", (_, lost) => {
    const declared = { name: "a", settings: { dbmsMaxThreads: 2, dbmsMaxInsertThreads: 1 } };
    const now: PropertyMap = { name: "a", settings: { dbmsMaxThreads: lost, dbmsMaxInsertThreads: 1 } };
    expect(refreshed(declared, declared, now)).toEqual({ name: "a", settings: { dbmsMaxInsertThreads: 1 } });
  });

  test("ignores values that the server filled in for undeclared fields", () => {
    const declared = { name: "a", source: { kafka: { brokers: "b" } } };
    const filled = {
      name: "a",
      source: { kafka: { brokers: "b", consumerGroup: "made-up", iamRole: "r" } },
      scaling: { replicas: 2 },
      settings: { dbmsMaxThreads: 4 },
      destination: { database: "default", columns: [{ name: "c", type: "t" }] },
    };
    expect(refreshed(declared, filled, filled)).toBe(declared);
    expect(refreshed(declared, filled, edited(filled, "scaling.replicas", 5))).toBe(declared);
  });

  test("ignores values that the server normalized since the last write", () => {
    const declared = { name: "Orders", source: { kafka: { brokers: "B:9092" } } };
    const normal = { name: "orders", source: { kafka: { brokers: "b:9092" } } };
    expect(refreshed(declared, normal, normal)).toBe(declared);
    const drifted = edited(normal, "source.kafka.brokers", "c:9092");
    expect(refreshed(declared, normal, drifted)).toEqual({
      name: "Orders",
      source: { kafka: { brokers: "c:9092" } },
    });
  });

  test("keeps write-only fields as declared, even if the API returns something for them", () => {
    const declared = edited(complete.kafka, "organizationId", "AAAAAAAA-0000-4000-8000-000000000001");
    const credentials = edited(complete.kafka, "source.kafka.credentials", { username: "x", password: "y" });
    const now = edited(edited(credentials, "destination.roles", ["z"]), "source.validateSamples", false);
    expect(refreshed(declared, complete.kafka, now)).toBe(declared);
  });

  test("keeps provider-only fields", () => {
    const declared = { name: "a", waitFor: { states: ["Running"] }, deletionPolicy: "delete", adopt: "x" };
    expect(refreshed(declared, { name: "a" }, { name: "a", waitFor: 1, adopt: 2 })).toBe(declared);
  });

  test.each<[string, PropertyValue, PropertyValue]>([
    ["source.kafka.reversePrivateEndpointIds", ["1", "2"], ["2", "1"]],
    [
      "destination.columns",
      [
        { name: "a", type: "t" },
        { name: "b", type: "t" },
      ],
      [
        { name: "b", type: "t" },
        { name: "a", type: "t" },
      ],
    ],
    ["source.postgres.tableMappings", [mapping, other], [other, mapping]],
    ["destination.roles", [], null],
    ["fieldMappings", [], undefined],
  ])(
    "reports no drift for another order of a set, or for another form of an empty one: %s",
    (path, declared, found) => {
      const before = edited({}, path, declared);
      expect(refreshed(before, edited({}, path, found), edited({}, path, found))).toBe(before);
    },
  );

  test("reports another order as drift where the order matters", () => {
    const path = "destination.tableDefinition.sortingKey";
    const [before, now] = [edited({}, path, ["a", "b"]), edited({}, path, ["b", "a"])];
    expect(refreshed(before, before, now)).toEqual(now);
  });
});

const kept = { ...mapping, excludedColumns: [], sortingKeys: ["a"] };
const third = { sourceSchemaName: "s", sourceTable: "x", targetTable: "x" };
const replaced = { ...mapping, useCustomSortingKey: false };

test.each<[claim: string, declared: PropertyValue, found: PropertyValue, shown: PropertyValue]>([
  ["omits members that the server added", [mapping], [{ ...replaced, partitionKey: "new" }], [mapping]],
  [
    "has the found value of a declared member",
    [{ ...mapping, useCustomSortingKey: true }],
    [replaced],
    [replaced],
  ],
  [
    "keeps an empty list where the server has none, and a set's declared order",
    [kept, { ...other, excludedColumns: ["b", "a"] }],
    [
      { ...other, excludedColumns: ["a", "b"] },
      { ...kept, excludedColumns: null },
    ],
    [kept, { ...other, excludedColumns: ["b", "a"] }],
  ],
  [
    "has the declared order, then the entries that another client added",
    [mapping, other],
    [{ ...third, sortingKeys: null }, other, mapping],
    [mapping, other, third],
  ],
  ["omits entries that another client removed", [mapping, other], [other], [other]],
])("a list with identities, in the declared shape, %s", (_, declared, found, shown) => {
  expect(inDeclaredShape(fieldAt("source.postgres.tableMappings"), declared, found)).toEqual(shown);
});

test("matches one found element to one declared element only", () => {
  const [first, second] = ["t", "u"].map((type) => ({ name: "a", type }));
  const columns = fieldAt("destination.columns");
  expect(inDeclaredShape(columns, [{ ...first }], [{ ...first }, { ...second }])).toEqual([first, second]);
});

test("right after a write, declared fields have the API's values, except write-only ones", () => {
  const found = edited(complete.kafka, "scaling.replicas", 3);
  const stated = currentInputs(pipeFields, { ...complete.kafka, adopt: "x", serviceId: "s" }, found);
  expect(stated).toMatchObject({ adopt: "x", scaling: { replicas: 3 } });
  expect(stated).not.toHaveProperty("source.kafka.credentials");
  expect(stated).not.toHaveProperty("destination.roles");
  expect(stated).not.toHaveProperty("serviceId");
  expect(stated).toHaveProperty("source.validateSamples", true);
});

test("a resource that is only read shows all declarable fields but secrets, and nothing else", () => {
  const found = {
    id: "1",
    state: "Running",
    name: "a",
    scaling: { replicas: null, replicaMemoryGb: 0.5, unheardOf: 1 },
    source: { kafka: { brokers: "b", offset: null }, objectStorage: { connectionString: "secret" } },
    settings: {},
    destination: { columns: [{ name: "c", type: "t", comment: null }] },
  };
  expect(importedInputs(pipeFields, found)).toEqual({
    name: "a",
    scaling: { replicaMemoryGb: 0.5 },
    source: { kafka: { brokers: "b" } },
    destination: { columns: [{ name: "c", type: "t" }] },
  });
});

test("a refresh keeps a declared value that the API never returned", () => {
  const declared = { name: "a", settings: { dbmsMaxThreads: 4 } };
  const observation = { declared, lastRead: { name: "a" }, current: { name: "a" } };
  expect(refreshInputs(pipeFields, observation)).toEqual({ declared, omitted: [] });
});
