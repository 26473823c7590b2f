import {
  changesBetween,
  changesOf,
  changesOfProgram,
  isRemoval,
  withCurrentValue,
  type Change,
} from "../../../provider/src/core/changes";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { replacementPlan } from "../../../provider/src/core/replacement";
import { complete } from "../../../testkit/pipes";
import { edited } from "../../../testkit/offline";
import { pipeFields } from "../../../testkit/pipe-fields";

const certainReplacements = (changes: readonly Change[]): readonly string[] =>
  replacementPlan(changes, { mayReplace: false, deletes: false }).replaces;

const changed = (before: PropertyMap, after: PropertyMap): string[] =>
  changesBetween(pipeFields, before, after).map(({ path, field }) => `${path}: ${field.onChange}`);

const editing = (path: string, value: PropertyValue): string[] =>
  changed(complete.kafka, edited(complete.kafka, path, value));

describe("an edit is one change at the field that it touches", () => {
  test.each<[path: string, value: PropertyValue, change: string]>([
    ["name", "other", "name: update"],
    ["source.kafka.brokers", "other", "source.kafka.brokers: replace"],
    ["source.kafka.offset.timestamp", "2026-02-01T00:00", "source.kafka.offset.timestamp: replace"],
    ["source.kafka.offset", undefined, "source.kafka.offset.timestamp: replace"],
    ["source.kafka.iamRole", undefined, "source.kafka.iamRole: update"],
    ["source.kafka.credentials.password", "other", "source.kafka.credentials: update"],
    ["source.kafka.credentials", undefined, "source.kafka.credentials: update"],
    [
      "source.kafka.schemaRegistry.credentials.username",
      "other",
      "source.kafka.schemaRegistry.credentials: replace",
    ],
    ["source.kafka.reversePrivateEndpointIds.0", "other", "source.kafka.reversePrivateEndpointIds: update"],
    ["source.validateSamples", false, "source.validateSamples: sentAlong"],
    ["destination.columns.0.type", "String", "destination.columns: update"],
    ["destination.roles", ["loader"], "destination.roles: replace"],
    [
      "destination.tableDefinition.sortingKey",
      ["note", "id"],
      "destination.tableDefinition.sortingKey: replace",
    ],
    ["fieldMappings.0.sourceField", "$.ID", "fieldMappings: update"],
    ["scaling.replicas", 7, "scaling.replicas: replace"],
    ["settings.dbmsMaxThreads", 7, "settings.dbmsMaxThreads: update"],
    ["adopt", "44444444-4444-4444-8444-444444444444", "adopt: providerOnly"],
    ["waitFor", { states: ["Running"] }, "waitFor: providerOnly"],
    ["deletionPolicy", "delete", "deletionPolicy: providerOnly"],
    ["serviceId", "44444444-4444-4444-8444-444444444444", "serviceId: replace"],
  ])("%s to %j", (path, value, change) => {
    expect(editing(path, value)).toEqual([change]);
  });

  test("a table mapping's part is a change of the list", () => {
    const path = "source.postgres.tableMappings.0.sortingKeys";
    const after = edited(complete.postgres, path, ["other"]);
    expect(changed(complete.postgres, after)).toEqual(["source.postgres.tableMappings: update"]);
  });

  test("objects that hold others are reported by the members that differ", () => {
    expect(editing("scaling", undefined)).toEqual(
      ["replicas", "concurrency", "replicaCpuMillicores", "replicaMemoryGb"].map(
        (name) => `scaling.${name}: replace`,
      ),
    );
  });
});

describe("another kind of source", () => {
  test("is one change at each of the two kinds, not one per member", () => {
    const after = { ...complete.kafka, source: complete.postgres["source"] };
    expect(changed(complete.kafka, after)).toEqual(["source.kafka: replace", "source.postgres: replace"]);
  });

  test("is one change even when both are empty", () => {
    expect(changed({ source: { kafka: {} } }, { source: { kinesis: {} } })).toEqual([
      "source.kafka: replace",
      "source.kinesis: replace",
    ]);
  });

  test("causes no change while the source is not known", () => {
    const changes = changesBetween(pipeFields, complete.kafka, { ...complete.kafka, source: UNKNOWN });
    expect(changes.some(({ field }) => field.variant)).toBe(false);
    expect(certainReplacements(changes)).toEqual([]);
  });
});

describe("an unknown value", () => {
  test.each([
    "name",
    "source.kafka.brokers",
    "source.kafka.credentials.password",
    "fieldMappings.0.sourceField",
  ])("is a change: %s", (path) => {
    expect(editing(path, UNKNOWN)).toHaveLength(1);
  });

  test("is no certain replacement, beside a change that is one", () => {
    const after = edited(edited(complete.kafka, "source.kafka.brokers", UNKNOWN), "scaling.replicas", 9);
    const changes = changesBetween(pipeFields, complete.kafka, after);
    expect(changesOf("replace", changes).map(({ path }) => path)).toEqual([
      "source.kafka.brokers",
      "scaling.replicas",
    ]);
    expect(certainReplacements(changes)).toEqual(["scaling.replicas"]);
  });

  test("is a change even if the stored value is unknown too", () => {
    const both = edited(complete.kafka, "name", UNKNOWN);
    expect(changed(both, both)).toEqual(["name: update"]);
  });
});

test("a change carries both values, and is a removal when nothing is declared any more", () => {
  const [change] = changesBetween(pipeFields, { name: "a" }, { name: "b" });
  expect(change).toMatchObject({ path: "name", before: "a", after: "b" });
  const [removal] = changesBetween(pipeFields, { name: "a" }, {});
  expect([change, removal].map((one) => one && isRemoval(one))).toEqual([false, true]);
});

test.each<[what: string, declared: PropertyMap, news: PropertyMap, effect: Change["effect"]]>([
  ["the program removes it", { scaling: { replicas: 2 } }, {}, "none"],
  ["the program declares what the API returns", {}, { scaling: { replicas: 3 } }, "none"],
  ["the program declares something else", {}, { scaling: { replicas: 2 } }, "replace"],
  ["the value is not known", {}, { scaling: { replicas: UNKNOWN } }, "replace"],
])(
  "of an immutable field, the state alone changes unless it needs a replacement: %s",
  (_, declared, news, effect) => {
    const stored = { declared, observed: { scaling: { replicas: 3 } } };
    expect(changesOfProgram(pipeFields, stored, news)).toMatchObject([{ path: "scaling.replicas", effect }]);
  },
);

test("changes come in the order in which the fields are declared", () => {
  const after = edited(
    edited(edited(complete.kafka, "settings.dbmsMaxThreads", 1), "name", "x"),
    "scaling.replicas",
    9,
  );
  expect(changed(complete.kafka, after)).toEqual([
    "name: update",
    "scaling.replicas: replace",
    "settings.dbmsMaxThreads: update",
  ]);
});

test("properties that no field declares are no change", () => {
  const after = { ...complete.kafka, state: "Running", observed: { name: "other" } };
  expect(changed(complete.kafka, after)).toEqual([]);
});

test("a refused change names the service's value, also where the program declared none before", () => {
  const observed = { scaling: { replicas: 1, concurrency: 5 } };
  const changes = changesBetween(
    pipeFields,
    { scaling: { concurrency: 4 } },
    { scaling: { replicas: 3, concurrency: 6 } },
  );
  const before = changes.map((change) => [change.path, withCurrentValue(change, observed).before]);
  expect(Object.fromEntries(before)).toEqual({ "scaling.replicas": 1, "scaling.concurrency": 4 });
});
