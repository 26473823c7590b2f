import { fromEngine } from "../../../provider/src/lifecycle/protocol/engine-values";
import { UNKNOWN } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { checks, meant, ONE_POLICY, unknown, UUID, type Accepted, type Refused } from "./refusals";
import {
  checkFailuresOf,
  offlineLifecycle,
  organizationId,
  serviceId,
  withProperty,
} from "../../kit/lifecycle";
import { KINDS, type SourceKind, endpointIds, pipeFieldTable } from "../../kit/pipe-fields";
import { complete, minimal } from "../../kit/pipes";

test.each(KINDS)("accepts a complete and a minimal %s pipe", (kind) => {
  expect(checkFailuresOf(complete[kind])).toEqual([]);
  expect(checkFailuresOf(minimal[kind])).toEqual([]);
});

test.each(KINDS)("accepts an unknown value at any path of a %s pipe", (kind) => {
  const paths = pathsOf(complete[kind]);
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    const failures = checkFailuresOf(withProperty(complete[kind], path, UNKNOWN));
    expect({ path, failures }).toEqual({ path, failures: [] });
  }
});

/** The dotted path of every value and of everything that holds values. */
function pathsOf(value: PropertyValue, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, PropertyValue]) => [
    `${prefix}${name}`,
    ...pathsOf(member, `${prefix}${name}.`),
  ]);
}

const withWait = (kind: SourceKind): PropertyMap => ({ ...complete[kind], waitFor: { states: ["Running"] } });
const rows = pipeFieldTable.map(({ path, type, isRequired = false }) => ({
  args: withWait(KINDS.find((kind) => path.startsWith(`source.${kind}`)) ?? "kafka"),
  path: path.replaceAll("[]", ".0"),
  shown: path.replaceAll("[]", "[0]"),
  type: type.replace(/ of .*/, ""),
  isRequired,
}));

/** Values of other types, and what is said of them. */
const OTHERS: Readonly<Record<string, [words: string, ...others: PropertyValue[]]>> = {
  string: ["a string", 5, true, [], {}],
  integer: ["a whole number", "2", 1.5, true, {}],
  number: ["a number", "1.5", false, []],
  boolean: ["a boolean", "true", 1, "yes"],
  object: ["an object", "text", 7, []],
  list: ["a list", "text", 2, {}],
};

test.each(Object.keys(OTHERS))("names each field with another value than a %s with its path", (ofType) => {
  const [words = "", ...others] = OTHERS[ofType] ?? [];
  for (const { args, path, shown } of rows.filter(({ type }) => type === ofType))
    for (const value of others) {
      const failures = checkFailuresOf(withProperty(args, path, value)).map((text) =>
        text.replace(/, got .*/, ""),
      );
      expect({ value, failures }).toEqual({ value, failures: [`${shown} must be ${words}`] });
    }
});

test("repeats no value of credentials, but those of other fields", () => {
  const user = withProperty(complete.kafka, "source.kafka.credentials.username", 123_456);
  expect(checkFailuresOf(user)).toEqual(["source.kafka.credentials.username must be a string"]);
  const topics = withProperty(complete.kafka, "source.kafka.topics", 123_456);
  expect(checkFailuresOf(topics)).toEqual(["source.kafka.topics must be a string, got 123456"]);
});

test("names each required field that is missing", () => {
  for (const { args, path, shown, type } of rows.filter(({ isRequired }) => isRequired))
    for (const value of [undefined, null]) {
      const failures = checkFailuresOf(withProperty(args, path, value));
      // Without its destination field, a mapping covers no column either.
      const ofField = failures.filter((text) => !text.includes("must cover every"));
      expect(ofField).toEqual([`${shown} is required (${type})`]);
    }
});

const MINUTE = "PATH must be a date and time without seconds and zone, in the format YYYY-MM-DDTHH:MM";
const ONE_KIND = `PATH must have exactly one of ${KINDS.join(", ")}; it has`;
const MISSING = "fieldMappings must cover every destination column; missing:";
const NO_MINUTES = ["2026-01-31", "2026-01-31 00:00", "2026-01-31T00:00:00", "2026-01-31T00:00Z", "now", ""];
const BAD_FORMS = ["2026-1-31T0:00", "x 2026-01-31T00:00", "2026-01-31T00:00\n"];
const NO_DAYS = ["2026-02-29", "2026-02-30", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"];
const NO_TIMES = ["24:00", "25:00", "00:60"];
const IDS = ["", "1", organizationId.slice(1), `{${organizationId}}`, `${organizationId}\n`, "me/../you"];
const namesIn = (path: string): string => {
  const paths = rows.map((row) => row.path).filter((each) => each.startsWith(`${path}.`));
  const names = paths.map((each) => each.slice(path.length + 1));
  return names.filter((name) => !name.includes(".")).join(", ");
};

const ids = (path: string): Refused[] => IDS.map((id) => [path, id, UUID]);
const column = { name: "id", type: "String" };
const unknownColumn: PropertyMap = { name: UNKNOWN, type: "String" };
const mapping = { sourceField: "$.id", destinationField: "id" };
const endpoints = "source.kafka.reversePrivateEndpointIds";
const timestamp = "source.kafka.offset.timestamp";
const secondColumn = "fieldMappings.1.destinationField";

const refused: Refused[] = [
  [endpoints, [1, "a", {}], `${endpoints}[0] must be a string`, `${endpoints}[2] must be a string`],
  ["scaling.replicas", 1e300, "PATH is too large"],
  ["scaling.replicas", -1e300, "PATH is too small"],
  ["waitFor", { states: ["Running"], timeoutSeconds: 0 }, "PATH.timeoutSeconds must be more than 0"],
  ["deletionPolicy", "keep", ONE_POLICY],
  ["replacementPolicy", true, 'PATH must be one of "refuse", "allow"'],
  ...[...NO_MINUTES, ...BAD_FORMS].map((text): Refused => [timestamp, text, MINUTE]),
  ...NO_DAYS.map((day): Refused => [timestamp, `${day}T00:00`, MINUTE]),
  ...NO_TIMES.map((time): Refused => [timestamp, `2026-01-31T${time}`, MINUTE]),
  ...["organizationId", "serviceId", "adopt"].flatMap(ids),

  ["nme", "orders", meant("name")],
  ["source.kafka.consumer_group", "g", meant("consumerGroup")],
  ["source.kafka.credentials.pasword", "x", meant("password")],
  ["source.kafka.accessKey", {}, unknown(namesIn("source.kafka"))],
  ["source.kafak", {}, meant("kafka")],
  ["destination.columns.0.nullable", true, unknown("name, type")],
  ["fieldMappings.1.sorceField", "x", meant("sourceField")],
  ["settings.streaming_max_insert_wait_ms", 5000, meant("streamingMaxInsertWaitMs")],
  ["scaling.constructor", 1, unknown(namesIn("scaling"))],

  ["source", {}, `${ONE_KIND} none`],
  ["source", { validateSamples: true }, `${ONE_KIND} none`],
  ["source.kafka", null, `source must have exactly one of ${KINDS.join(", ")}; it has none`],
  ["source", Object.fromEntries(KINDS.map((kind) => [kind, {}])), `${ONE_KIND} ${KINDS.join(" and ")}`],
  ["source", { kafka: {}, kinesis: {}, postgres: UNKNOWN }, `${ONE_KIND} kafka and kinesis`],
  ["fieldMappings", undefined, `${MISSING} "id", "note"`],
  ["fieldMappings", [], `${MISSING} "id", "note"`],
  [secondColumn, "notes", `${MISSING} "note"`],
  ["destination.columns.1", column, 'PATH.name repeats "id" of element 0'],
  ["fieldMappings.2", mapping, 'PATH repeats "$.id", "id" of element 0'],
  ["destination.roles", ["a", "b", "a"], 'PATH[2] repeats "a" of element 0'],
  [endpoints, ["a", "a"], 'PATH[1] repeats "a" of element 0'],
  ["destination.tableDefinition.sortingKey", ["id", "id"], 'PATH[1] repeats "id" of element 0'],
];

const accepted: Accepted[] = [
  ["source.kafka", {}],
  ["source.kafka.schemaRegistry", {}],
  ["scaling", {}],
  ["settings", {}],
  ["destination.tableDefinition", {}],
  ["destination.tableDefinition.engine", {}],
  ["name", "", 'Zürich 🚰 "orders"\n\t\u0000', "x".repeat(10_000)],
  ["organizationId", organizationId.toUpperCase(), "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  // Any value, also if one of it is not known. An unknown kind counts neither as a second one nor as none.
  ["source", UNKNOWN, { kafka: UNKNOWN }, { kafka: UNKNOWN, kinesis: {} }],
  ["source.kafka.brokers", ""],
  [timestamp, "2024-02-29T23:59", "0001-01-01T00:00", "9999-12-31T23:59"],
  ["source.kafka.credentials", { username: "", password: "" }, null],
  [endpoints, [], ["not-a-uuid"], [UNKNOWN, UNKNOWN]],
  ["source.validateSamples", null],
  ["destination", null],
  ["destination.columns", [], [unknownColumn, unknownColumn]],
  ["destination.roles", []],
  ["fieldMappings", [{ sourceField: "x", destinationField: UNKNOWN }]],
  ["fieldMappings.2", { sourceField: "$.id", destinationField: "another" }],
  ["scaling.replicas", -1],
  ["scaling.replicaMemoryGb", 0.125],
  ["settings.streamingMaxInsertWaitMs", -5],
  ["settings.objectStorageMaxInsertBytes", Number.MAX_SAFE_INTEGER],
  ["waitFor", { states: ["NoSuchState"] }, { states: [UNKNOWN], timeoutSeconds: 0.5 }, UNKNOWN],
  ["deletionPolicy", UNKNOWN],
];
checks("a kafka pipe", pipeDefinition, complete.kafka, { refused, accepted });

const mappings = "source.postgres.tableMappings";
checks("a postgres pipe", pipeDefinition, complete.postgres, {
  refused: [
    [`${mappings}.0`, null, "PATH must be an object"],
    [`${mappings}.0.sortingKeys.0`, 1, "PATH must be a string"],
    [`${mappings}.1.target`, "x", unknown(namesIn(`${mappings}.0`))],
    [`${mappings}.1.targetTable`, "orders", 'PATH repeats "orders" of element 0'],
    [`${mappings}.0.excludedColumns`, ["a", "a"], 'PATH[1] repeats "a" of element 0'],
    [`${mappings}.1.sortingKeys`, ["a", "b", "b"], 'PATH[2] repeats "b" of element 1'],
  ],
  accepted: [
    ["source.postgres.port", 0],
    [mappings, []],
    [`${mappings}.1.targetTable`, UNKNOWN],
    [`${mappings}.1.sourceTable`, "orders"],
  ],
});

test("names all failures at once, configuration first, also beside an unknown value", () => {
  const { lifecycle } = offlineLifecycle({ configurationProblems: () => ["datapipes:baseUrl is not set."] });
  const { failures } = lifecycle.check(undefined, {
    nme: "orders",
    source: { kafka: { brokers: 1, topics: UNKNOWN }, kinesis: {} },
    destination: { columns: [{ name: "a", type: "b" }] },
  });
  const paths = failures.map(({ path }) => path.join("."));
  expect(paths).toEqual(["", "source.kafka.brokers", "nme", "source", "fieldMappings"]);
});

describe("the inputs after a check", () => {
  const inputsOf = (args: PropertyMap): PropertyMap =>
    offlineLifecycle().lifecycle.check(undefined, fromEngine(args)).inputs;

  test("have the ids of configuration where the program is silent, and nowhere else", () => {
    expect(inputsOf(minimal.kafka)).toEqual({ ...minimal.kafka, organizationId, serviceId });
    const own: PropertyMap = { ...minimal.kafka, organizationId: serviceId, serviceId: UNKNOWN };
    expect(inputsOf(own)).toEqual(own);
  });

  test("have nothing for null, and endpoint ids in the order in which they were given", () => {
    const ids = [...endpointIds].reverse();
    const kafka = { topics: null, brokers: "b", reversePrivateEndpointIds: ids };
    const inputs = inputsOf({ ...complete.kafka, scaling: null, source: { kafka } });
    expect(inputs).not.toHaveProperty("scaling");
    expect(inputs["source"]).toEqual({ kafka: { brokers: "b", reversePrivateEndpointIds: ids } });
  });
});
