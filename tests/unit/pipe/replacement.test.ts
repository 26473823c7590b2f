import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { complete } from "../../../testkit/pipes";
import { preview, type Preview } from "../../../testkit/preview";
import { edited, offline, organizationId, pipeId, serviceId } from "../../../testkit/offline";

const stored: PropertyMap = { ...complete.kafka, organizationId, serviceId, name: "orders" };

const previewed = (news: PropertyMap, outputs = stored): Preview =>
  preview(offline().lifecycle, { id: pipeId, outputs }, news);

const refusalsOf = (news: PropertyMap): readonly string[] => previewed(news).failures;

const refusal = (path: string, before: string, after: string): string =>
  `${path} cannot be changed in place: the service has ${before}, the program declares ${after}. ${otherwise(path)}`;

const otherwise = (path: string): string =>
  `Declare what the service has (or keep it with ignoreChanges: ["${path}"]), or set replacementPolicy: "allow" to replace ` +
  `it; the old one remains beside the new one unless deletionPolicy is "delete".`;

const undone = (path: string): string =>
  `${path} cannot be changed in place, and differs from the value in the state. Undo the change, or set replacementPolicy: "allow" to ` +
  `replace it; the old one remains beside the new one unless deletionPolicy is "delete".`;

const FIXED: [path: string, value: PropertyValue, before: string, after: string][] = [
  ["organizationId", pipeId, `"${organizationId}"`, `"${pipeId}"`],
  ["serviceId", pipeId, `"${serviceId}"`, `"${pipeId}"`],
  ["source.kafka.brokers", "other:9092", '"b-1.example:9092"', '"other:9092"'],
  ["source.kafka.consumerGroup", "other", '"loader"', '"other"'],
  ["source.kafka.offset.timestamp", "2026-02-01T00:00", '"2026-01-31T00:00"', '"2026-02-01T00:00"'],
  [
    "source.kafka.schemaRegistry.url",
    "https://other.example",
    '"https://registry.example"',
    '"https://other.example"',
  ],
  [
    "source.kafka.schemaRegistry.credentials",
    { username: "canary-a", password: "canary-b" },
    "[secret]",
    "[secret]",
  ],
  ["destination.database", "other", '"shop"', '"other"'],
  ["destination.table", "other", '"events"', '"other"'],
  ["destination.managedTable", false, "true", "false"],
  ["destination.tableDefinition.primaryKey", "note", '"id"', '"note"'],
  ["destination.roles", ["loader"], '["loader","reader"]', '["loader"]'],
  ["scaling.replicas", 9, "2", "9"],
];

const IN_PLACE: [path: string, value: PropertyValue][] = [
  ["name", "other"],
  ["source.kafka.iamRole", "other"],
  ["source.kafka.credentials.password", "other"],
  ["source.validateSamples", undefined],
  ["destination.columns.0.type", "String"],
  ["destination.roles", ["reader", "loader"]],
  ["fieldMappings.0.sourceField", "$.other"],
  ["settings.dbmsMaxThreads", undefined],
  ["deletionPolicy", "delete"],
  ["waitFor", { states: ["Running"] }],
  ["adopt", pipeId],
];

describe("by default", () => {
  test.each(FIXED)("refuses a change of %s at its path, with both values", (path, value, before, after) => {
    const isSecret = path.endsWith("credentials");
    expect(refusalsOf(edited(stored, path, value))).toEqual([
      isSecret ? undone(path) : refusal(path, before, after),
    ]);
  });

  test.each(IN_PLACE)("does not refuse a change of %s", (path, value) => {
    expect(refusalsOf(edited(stored, path, value))).toEqual([]);
  });

  test.each(FIXED)("does not replace for %s while its value is not known", (path) => {
    const { failures, difference } = previewed(edited(stored, path, UNKNOWN));
    expect(failures).toEqual([]);
    expect(difference).toMatchObject({ changed: true, replaces: [] });
  });

  test("names every offending property", () => {
    const news = edited(edited(stored, "scaling.replicas", 9), "source.kafka.brokers", "other");
    expect(refusalsOf(news).map((text) => text.split(" ")[0])).toEqual([
      "source.kafka.brokers",
      "scaling.replicas",
    ]);
  });

  test("refuses another kind of source at both kinds, and shows neither", () => {
    expect(refusalsOf({ ...stored, source: complete.kinesis["source"] })).toEqual(
      ["source.kafka", "source.kinesis"].map((path) => undone(path)),
    );
  });

  test.each([
    ["refuse and retain", { replacementPolicy: "refuse", deletionPolicy: "retain" }],
    ["refuse and delete", { replacementPolicy: "refuse", deletionPolicy: "delete" }],
    ["delete alone", { deletionPolicy: "delete" }],
  ])("refuses with the policies %s too", (_, policies) => {
    const news = edited({ ...stored, ...policies }, "scaling.replicas", 9);
    expect(refusalsOf(news)).toEqual([refusal("scaling.replicas", "2", "9")]);
  });

  test("compares nothing while a type is wrong", () => {
    const news = edited(edited(stored, "scaling.replicas", "9"), "destination.table", "other");
    expect(refusalsOf(news)).toEqual(['scaling.replicas must be a whole number, got "9"']);
  });
});

describe.each([
  ["replacementPolicy allow", { replacementPolicy: "allow" }, false],
  [
    "replacementPolicy allow and deletionPolicy delete",
    { replacementPolicy: "allow", deletionPolicy: "delete" },
    true,
  ],
])("with %s", (_policy, policy, deleteBeforeReplace) => {
  test.each(FIXED)("a change of %s replaces", (path, value) => {
    const { failures, difference } = previewed({ ...edited(stored, path, value), ...policy });
    expect(failures).toEqual([]);
    expect(difference).toMatchObject({ changed: true, replaces: [path], deleteBeforeReplace });
  });

  test.each(FIXED)("a %s that is not known yet may replace", (path) => {
    const { difference } = previewed({ ...edited(stored, path, UNKNOWN), ...policy });
    expect(difference?.replaces).toContain(path);
  });

  test.each(IN_PLACE.filter(([path]) => path !== "deletionPolicy"))(
    "a change of %s replaces nothing",
    (path, value) => {
      expect(previewed({ ...edited(stored, path, value), ...policy }).difference?.replaces).toEqual([]);
    },
  );
});

test("the program's policy decides, not the one in the state", () => {
  const outputs = { ...stored, deletionPolicy: "delete", replacementPolicy: "allow" };
  expect(previewed(edited(stored, "scaling.replicas", 9), outputs).failures).toHaveLength(1);
});

describe("replaces nothing, whatever the policies,", () => {
  const policies: PropertyMap[] = [{}, { replacementPolicy: "allow" }, { deletionPolicy: "delete" }];
  const expectNoReplacement = async (news: PropertyMap, outputs = stored): Promise<void> => {
    for (const policy of policies) {
      const [before, after] = [
        { ...outputs, ...policy },
        { ...news, ...policy },
      ];
      const { failures, difference } = previewed(after, before);
      expect(failures).toEqual([]);
      expect(difference).toMatchObject({ changed: true, replaces: [] });
      // One update, which sends nothing, puts it into the state.
      const updated = await offline().lifecycle.update(pipeId, before, after);
      expect(previewed(after, updated).difference).toMatchObject({ changed: false });
    }
  };

  test.each([
    "source.kafka.topics",
    "source.kafka.offset",
    "destination.roles",
    "destination.tableDefinition",
    "scaling",
  ])("when the program no longer declares %s", async (path) => {
    await expectNoReplacement(edited(stored, path, undefined));
  });

  const observed = {
    scaling: { replicas: 2, replicaMemoryGb: 1 },
    source: { kafka: { consumerGroup: "made-by-the-service" } },
    destination: { tableDefinition: { sortingKey: ["id"] } },
  };
  const silent: PropertyMap = {
    organizationId,
    serviceId,
    name: "orders",
    source: { kafka: { brokers: "b:9092" } },
    observed,
  };

  test.each<[path: string, value: PropertyValue]>([
    ["scaling", { replicas: 2 }],
    ["scaling", { replicas: 2, replicaMemoryGb: 1 }],
    ["source.kafka.consumerGroup", "made-by-the-service"],
    ["destination", { tableDefinition: { sortingKey: ["id"] } }],
  ])("when the program declares what the API returns already: %s as %j", async (path, value) => {
    const { observed: _, ...args } = edited(silent, path, value);
    await expectNoReplacement(args, silent);
  });

  test.each<[path: string, value: PropertyValue]>([
    ["scaling", { replicas: 3 }],
    ["source.kafka.consumerGroup", "another"],
  ])("except when the program declares another value: %s as %j", (path, value) => {
    const { observed: _, ...args } = edited(silent, path, value);
    expect(previewed(args, silent).failures).toHaveLength(1);
  });

  test("except when the program adds a field that the API never returns", () => {
    const { observed: _, ...args } = edited(silent, "destination", { roles: ["loader"] });
    const echoing = edited(silent, "observed.destination.roles", ["loader"]);
    expect(previewed(args, echoing).failures).toHaveLength(1);
  });
});

test("an id in capital letters is the same id", () => {
  const capitals = "ABCDEFAB-0000-4000-8000-00000000ABCD";
  const outputs = { ...stored, serviceId: capitals.toLowerCase() };
  expect(previewed({ ...outputs, serviceId: capitals }, outputs).difference).toMatchObject({
    changed: false,
    replaces: [],
    deleteBeforeReplace: false,
  });
});

test.each([undefined, pipeId, serviceId])("adopt as %s is no change of a pipe in the stack", (adopt) => {
  const { failures, difference } = previewed({ ...stored, adopt }, { ...stored, adopt: organizationId });
  expect([failures, difference?.changed]).toEqual([[], false]);
});

test("a retained pipe keeps running, and a line says so without a request", async () => {
  const { lifecycle, lines } = offline();
  await lifecycle.delete(pipeId, stored);
  await lifecycle.delete(pipeId, { ...stored, deletionPolicy: "retain" });
  const line =
    `pipe "orders" (${pipeId}) keeps running and loading data: its deletionPolicy is "retain", so the provider ` +
    `sends nothing. Pulumi no longer manages it.`;
  expect(lines).toEqual([line, line]);
});
