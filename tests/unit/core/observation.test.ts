import { asDeclared, declarable, likeDeclared, refreshInputs } from "../../../provider/src/core/drift";
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
  test("without news returns the declared inputs, the same object", () => {
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
    ["leaves out", undefined],
    ["states as null", null],
  ])("takes a declared value away that an update can bring back and the API now %s", (_, lost) => {
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

  test("keeps what the API never returns, even when it returns something", () => {
    const declared = edited(complete.kafka, "organizationId", "AAAAAAAA-0000-4000-8000-000000000001");
    const now = edited(
      edited(complete.kafka, "source.kafka.credentials", { username: "x", password: "y" }),
      "destination.roles",
      ["z"],
    );
    expect(refreshed(declared, complete.kafka, edited(now, "source.validateSamples", false))).toBe(declared);
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
  ])("takes no other order or emptiness of a set for drift: %s", (path, declared, found) => {
    const before = edited({}, path, declared);
    expect(refreshed(before, edited({}, path, found), edited({}, path, found))).toBe(before);
  });

  test("takes another order for drift where order means something", () => {
    const path = "destination.tableDefinition.sortingKey";
    const [before, now] = [
      ["a", "b"],
      ["b", "a"],
    ].map((keys) => edited({}, path, keys));
    expect(refreshed(before ?? {}, before ?? {}, now ?? {})).toEqual(now);
  });
});

describe("a list of things with identities, in the declared shape", () => {
  const field = fieldAt("source.postgres.tableMappings");

  test("has no members that the server added to an element", () => {
    const found = [{ ...mapping, useCustomSortingKey: false, partitionKey: "new of the server" }];
    expect(likeDeclared(field, [mapping], found)).toEqual([mapping]);
  });

  test("has the found value of a member that is declared", () => {
    const declared = [{ ...mapping, useCustomSortingKey: true }];
    expect(likeDeclared(field, declared, [{ ...mapping, useCustomSortingKey: false }])).toEqual([
      { ...mapping, useCustomSortingKey: false },
    ]);
  });

  test("keeps an empty list where the server has none, and a set's declared order", () => {
    const declared = [
      { ...mapping, excludedColumns: [], sortingKeys: ["a"] },
      { ...other, excludedColumns: ["b", "a"] },
    ];
    const found = [
      { ...other, excludedColumns: ["a", "b"] },
      { ...mapping, excludedColumns: null, sortingKeys: ["a"] },
    ];
    expect(likeDeclared(field, declared, found)).toEqual(declared);
  });

  test("has the declared order, then the entries that another client added", () => {
    const third = { sourceSchemaName: "s", sourceTable: "x", targetTable: "x", sortingKeys: null };
    const { sortingKeys: _, ...added } = third;
    expect(likeDeclared(field, [mapping, other], [third, other, mapping])).toEqual([mapping, other, added]);
  });

  test("omits entries that another client removed", () => {
    expect(likeDeclared(field, [mapping, other], [other])).toEqual([other]);
  });

  test("matches one found element to one declared element only", () => {
    const columns = fieldAt("destination.columns");
    const twice = [
      { name: "a", type: "t" },
      { name: "a", type: "u" },
    ];
    expect(likeDeclared(columns, [{ name: "a", type: "t" }], twice)).toEqual(twice);
  });
});

test("right after a write, declared fields have the API's values, except write-only ones", () => {
  const found = edited(complete.kafka, "scaling.replicas", 3);
  const stated = asDeclared(pipeFields, { ...complete.kafka, adopt: "x", serviceId: "s" }, found);
  expect(stated).toMatchObject({ adopt: "x", scaling: { replicas: 3 } });
  expect(stated).not.toHaveProperty("source.kafka.credentials");
  expect(stated).not.toHaveProperty("destination.roles");
  expect(stated).not.toHaveProperty("serviceId");
  expect(stated).toHaveProperty("source.validateSamples", true);
});

test("a resource that is only read shows all declarable fields and nothing else", () => {
  const found = {
    id: "1",
    state: "Running",
    name: "a",
    scaling: { replicas: null, replicaMemoryGb: 0.5, unheardOf: 1 },
    source: { kafka: { brokers: "b", offset: null } },
    settings: {},
    destination: { columns: [{ name: "c", type: "t", comment: null }] },
  };
  expect(declarable(pipeFields, found)).toEqual({
    name: "a",
    scaling: { replicaMemoryGb: 0.5 },
    source: { kafka: { brokers: "b" } },
    destination: { columns: [{ name: "c", type: "t" }] },
  });
});
