import {
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../../provider/src/core/property-value";
import { changesOf } from "../../../testkit/pipe-field-table";
import { complete, type SourceKind } from "../../../testkit/pipes";
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

const POLICIES: PropertyMap[] = [
  { replacementPolicy: "refuse", deletionPolicy: "retain" },
  { replacementPolicy: "refuse", deletionPolicy: "delete" },
  { deletionPolicy: "delete" },
  {},
];
const ALLOW = { replacementPolicy: "allow" };
const kinds = Object.keys(complete) as SourceKind[];
const replacing = kinds.flatMap(changesOf).filter(({ onChange }) => onChange === "replace");

describe.each(kinds)("of a %s pipe,", (kind) => {
  const pipe: PropertyMap = { ...complete[kind], organizationId, serviceId, name: "orders" };
  const changes = changesOf(kind);

  test.each(replacing.filter((change) => change.kind === kind))(
    "a change of $path is refused with both values, and replaces if the policy allows it",
    ({ path, to, isSecret }) => {
      const news = edited(pipe, path, to);
      const before = JSON.stringify(valueAt(pipe, path.split(".")));
      const failure = isSecret ? undone(path) : refusal(path, before, JSON.stringify(to));
      expect(previewed(news, pipe).failures).toEqual([failure]);
      for (const deletionPolicy of ["retain", "delete"]) {
        const { failures, difference } = previewed({ ...news, ...ALLOW, deletionPolicy }, pipe);
        expect(failures).toEqual([]);
        const deleteBeforeReplace = deletionPolicy === "delete";
        expect(difference).toMatchObject({ changed: true, replaces: [path], deleteBeforeReplace });
      }
      // A value that is not known yet replaces nothing that the policy does not allow.
      const unknown = edited(pipe, path, UNKNOWN);
      const refused = previewed(unknown, pipe);
      expect(refused).toMatchObject({ failures: [], difference: { changed: true, replaces: [] } });
      expect(previewed({ ...unknown, ...ALLOW }, pipe).difference?.replaces).toContain(path);
    },
  );

  test("a change of any other field is neither refused nor a replacement", () => {
    for (const { path, to, onChange } of changes)
      if (onChange !== "replace")
        for (const policy of [{}, ALLOW]) {
          const { failures, difference } = previewed(edited({ ...pipe, ...policy }, path, to), pipe);
          expect([path, failures, difference?.replaces]).toEqual([path, [], []]);
        }
  });
});

test.each<[path: string, value: PropertyValue]>([
  ["source.validateSamples", undefined],
  ["destination.roles", ["reader", "loader"]],
  ["settings.dbmsMaxThreads", undefined],
])("another order of a set, or no value, is no replacement: %s", (path, value) => {
  for (const policy of [{}, ALLOW]) {
    const { failures, difference } = previewed(edited({ ...stored, ...policy }, path, value));
    expect([failures, difference?.replaces]).toEqual([[], []]);
  }
});

describe("by default", () => {
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

  test.each(POLICIES)("refuses with the policies %j too", (policies) => {
    const news = edited({ ...stored, ...policies }, "scaling.replicas", 9);
    expect(refusalsOf(news)).toEqual([refusal("scaling.replicas", "2", "9")]);
  });

  test("compares nothing while a type is wrong", () => {
    const news = edited(edited(stored, "scaling.replicas", "9"), "destination.table", "other");
    expect(refusalsOf(news)).toEqual(['scaling.replicas must be a whole number, got "9"']);
  });
});

test("the program's policy decides, not the one in the state", () => {
  const outputs = { ...stored, deletionPolicy: "delete", replacementPolicy: "allow" };
  expect(previewed(edited(stored, "scaling.replicas", 9), outputs).failures).toHaveLength(1);
});

describe("replaces nothing, whatever the policies,", () => {
  const expectNoReplacement = async (news: PropertyMap, outputs = stored): Promise<void> => {
    for (const policy of [{}, ALLOW, { deletionPolicy: "delete" }]) {
      const before = { ...outputs, ...policy };
      const after = { ...news, ...policy };
      expect(previewed(after, before)).toMatchObject({
        failures: [],
        difference: { changed: true, replaces: [] },
      });
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
