import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { complete, endpointIds, minimal, type SourceKind } from "../../../testkit/pipes";
import { failuresOf, edited, offline, organizationId, serviceId } from "../../../testkit/offline";

const KINDS = ["kafka", "objectStorage", "kinesis", "postgres"] as const;

function accepts(kind: SourceKind, cases: [path: string, value: PropertyValue][]): void {
  test.each(cases)(`a ${kind} pipe is accepted whose %s is %p`, (path, value) => {
    const args = edited(complete[kind], path, value);
    expect(args).not.toEqual(complete[kind]);
    expect(failuresOf(args)).toEqual([]);
  });
}

test.each(KINDS)("a complete and a minimal %s pipe are accepted", (kind) => {
  expect(failuresOf(complete[kind])).toEqual([]);
  expect(failuresOf(minimal[kind])).toEqual([]);
});

test.each(KINDS)("a %s pipe passes with any one of its values unknown, at whatever depth", (kind) => {
  const paths = pathsOf(complete[kind]);
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths)
    expect([path, failuresOf(edited(complete[kind], path, UNKNOWN))]).toEqual([path, []]);
});

/** The dotted path of every value and of everything that holds values. */
function pathsOf(value: PropertyValue, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, PropertyValue]) => [
    `${prefix}${name}`,
    ...pathsOf(member, `${prefix}${name}.`),
  ]);
}

describe("check accepts what the API's document leaves open", () => {
  accepts("kafka", [
    ["name", ""],
    ["name", 'Zürich 🚰 "orders"\n\t\u0000'],
    ["name", "x".repeat(10_000)],
    ["organizationId", organizationId.toUpperCase()],
    ["organizationId", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    ["source.kafka", {}],
    ["source.kafka.brokers", ""],
    ["source.kafka.offset.timestamp", "2024-02-29T23:59"],
    ["source.kafka.offset.timestamp", "0001-01-01T00:00"],
    ["source.kafka.offset.timestamp", "9999-12-31T23:59"],
    ["source.kafka.credentials", { username: "", password: "" }],
    ["source.kafka.credentials", null],
    ["source.kafka.schemaRegistry", {}],
    ["source.kafka.reversePrivateEndpointIds", []],
    ["source.kafka.reversePrivateEndpointIds", ["not-a-uuid"]],
    ["source.kafka.reversePrivateEndpointIds", [UNKNOWN, UNKNOWN]],
    ["source.validateSamples", null],
    ["destination", null],
    ["destination.columns", []],
    [
      "destination.columns",
      [
        { name: UNKNOWN, type: "String" },
        { name: UNKNOWN, type: "String" },
      ],
    ],
    ["destination.tableDefinition", {}],
    ["destination.tableDefinition.engine", {}],
    ["destination.roles", []],
    ["fieldMappings.2", { sourceField: "$.id", destinationField: "another" }],
    ["scaling", {}],
    ["scaling.replicas", -1],
    ["scaling.replicaMemoryGb", 0.125],
    ["settings", {}],
    ["settings.streamingMaxInsertWaitMs", -5],
    ["settings.objectStorageMaxInsertBytes", Number.MAX_SAFE_INTEGER],
    ["waitFor", { states: ["NoSuchState"] }],
    ["waitFor", { states: [UNKNOWN], timeoutSeconds: 0.5 }],
    ["waitFor", UNKNOWN],
    ["deletionPolicy", UNKNOWN],
  ]);
  accepts("objectStorage", [
    ["source.objectStorage.compression", "brotli-of-tomorrow"],
    ["source.objectStorage.compression", ""],
    ["source.objectStorage.url", "not a url {a,b}/**"],
    ["source.objectStorage.delimiter", "\t"],
  ]);
  accepts("kinesis", [
    ["source.kinesis.timestamp", 0],
    ["source.kinesis.timestamp", -1],
    ["source.kinesis.region", "moon-1"],
  ]);
  accepts("postgres", [
    ["source.postgres.port", 0],
    ["source.postgres.tableMappings", []],
    ["source.postgres.tableMappings.1.targetTable", UNKNOWN],
    ["source.postgres.tableMappings.1.sourceTable", "orders"],
  ]);
});

test("accepts an unknown source of any kind", () => {
  expect(failuresOf({ source: UNKNOWN })).toEqual([]);
  expect(failuresOf({ source: { kafka: UNKNOWN } })).toEqual([]);
});

test("accepts any column when one mapping is unknown", () => {
  const mapping: PropertyMap = { sourceField: "x", destinationField: UNKNOWN };
  expect(failuresOf(edited(complete.kafka, "fieldMappings", [mapping]))).toEqual([]);
});

test("finds other failures beside an unknown value", () => {
  const args: PropertyMap = edited(complete.kafka, "source.kafka.topics", UNKNOWN);
  expect(failuresOf(edited(args, "source.kafka.brokers", 1))).toEqual([
    "source.kafka.brokers must be a string, got 1",
  ]);
});

test("the ids of configuration are stored where the program is silent, and nowhere else", () => {
  const { lifecycle } = offline();
  expect(lifecycle.check(undefined, minimal.kafka).inputs).toEqual({
    ...minimal.kafka,
    organizationId,
    serviceId,
  });
  const own: PropertyMap = { ...minimal.kafka, organizationId: serviceId, serviceId: UNKNOWN };
  expect(lifecycle.check(undefined, own).inputs).toEqual(own);
});

test("null is the same as absent", () => {
  const { lifecycle } = offline();
  const args = { ...complete.kafka, scaling: null, source: { kafka: { topics: null, brokers: "b" } } };
  const { inputs } = lifecycle.check(undefined, args);
  expect(inputs).not.toHaveProperty("scaling");
  expect(inputs["source"]).toEqual({ kafka: { brokers: "b" } });
});

test("endpoint ids keep the order in which they were given", () => {
  const ids = [...endpointIds].reverse();
  const args = edited(complete.kafka, "source.kafka.reversePrivateEndpointIds", ids);
  expect(offline().lifecycle.check(undefined, args).inputs).toMatchObject({
    source: { kafka: { reversePrivateEndpointIds: ids } },
  });
});

test("checks an adoption once its service is known", async () => {
  const args: PropertyMap = { ...minimal.kafka, name: "orders", adopt: organizationId, serviceId: UNKNOWN };
  const { lifecycle, lines } = offline();
  expect(await lifecycle.checkAdoption(lifecycle.check(undefined, args))).toEqual([]);
  expect(lines).toEqual([]);
});
