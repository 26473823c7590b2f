import { UNKNOWN, valueAt } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { shownValue } from "../../../provider/src/lifecycle/program/replacement";
import { changesOf, KINDS, type SourceKind } from "../../kit/pipe-fields";
import { complete } from "../../kit/pipes";
import {
  preview,
  withProperty,
  offlineLifecycle,
  organizationId,
  pipeId,
  serviceId,
} from "../../kit/lifecycle";

const pipeOf = (kind: SourceKind): PropertyMap => ({
  ...complete[kind],
  organizationId,
  serviceId,
  name: "orders",
});
const stored = pipeOf("kafka");

const previewed = (inputs: PropertyMap, outputs = stored) =>
  preview(offlineLifecycle().lifecycle, { id: pipeId, outputs }, inputs);

const ALLOW_STEP = `set replacementPolicy: "allow", which creates a second pipe; the old one remains unless deletionPolicy is "delete".`;

const refusal = (path: string, before: string, after: string): string =>
  `${path} cannot be changed in place: the service has ${before}, the program declares ${after}. Declare what the service has ` +
  `(or keep it with ignoreChanges: ["${path}"]), or ${ALLOW_STEP}`;

const undone = (path: string): string =>
  `${path} cannot be changed in place, and differs from the value in the state. Undo the change, or ${ALLOW_STEP}`;

const ALLOW = { replacementPolicy: "allow" };
const replacing = KINDS.flatMap(changesOf).filter(({ onChange }) => onChange === "replace");

test.each(replacing)("a change of $path of a $kind pipe is refused", ({ kind, path, to, isSecret }) => {
  const pipe = pipeOf(kind);
  const before = JSON.stringify(valueAt(pipe, path.split(".")));
  const failure = isSecret ? undone(path) : refusal(path, before, JSON.stringify(to));
  expect(previewed(withProperty(pipe, path, to), pipe).failures).toEqual([failure]);
});

test.each(replacing)("a change of $path of a $kind pipe replaces it if allowed", ({ kind, path, to }) => {
  const pipe = pipeOf(kind);
  const inputs = { ...withProperty(pipe, path, to), ...ALLOW };
  const difference = { changed: true, replaces: [path] };
  expect(previewed(inputs, pipe)).toMatchObject({ failures: [], difference });
});

test.each(replacing)("an unknown $path of a $kind pipe is not refused", ({ kind, path }) => {
  const pipe = pipeOf(kind);
  const inputs = withProperty(pipe, path, UNKNOWN);
  const difference = { changed: true, replaces: [] };
  expect(previewed(inputs, pipe)).toMatchObject({ failures: [], difference });
  expect(previewed({ ...inputs, ...ALLOW }, pipe).difference?.replaces).toContain(path);
});

const scaled = withProperty(stored, "scaling.replicas", 9);
const refused = refusal("scaling.replicas", "2", "9");
const defaults = { replacementPolicy: "refuse", deletionPolicy: "retain" };
const brokers = refusal("source.kafka.brokers", '"b-1.example:9092"', '"other"');
const kinesis = { ...stored, source: complete.kinesis["source"] };
const invalid = withProperty(withProperty(stored, "scaling.replicas", "9"), "destination.table", "other");

test.each<[what: string, inputs: PropertyMap, failures: string[]]>([
  ["every offending property", withProperty(scaled, "source.kafka.brokers", "other"), [brokers, refused]],
  ["both kinds of source, and shows neither", kinesis, ["source.kafka", "source.kinesis"].map(undone)],
  ["the change, with any deletionPolicy", { ...scaled, deletionPolicy: "delete" }, [refused]],
  ["the change, with the policies of the defaults", { ...scaled, ...defaults }, [refused]],
  ["a wrong type, and compares nothing then", invalid, ['scaling.replicas must be a whole number, got "9"']],
])("a refusal names %s", (_, inputs, failures) => {
  expect(previewed(inputs).failures).toEqual(failures);
});

test("the program's policy decides, not the one in the state", () => {
  expect(previewed(scaled, { ...stored, deletionPolicy: "delete", ...ALLOW }).failures).toEqual([refused]);
});

const POLICIES: readonly PropertyMap[] = [{}, ALLOW, { deletionPolicy: "delete" }];

const silent: PropertyMap = {
  organizationId,
  serviceId,
  name: "orders",
  source: { kafka: { brokers: "b:9092" } },
};
const observed: PropertyMap = {
  scaling: { replicas: 2, replicaMemoryGb: 1 },
  source: { kafka: { consumerGroup: "made-by-the-service" } },
  destination: { tableDefinition: { sortingKey: ["id"] } },
};

describe.each(POLICIES)("with the policies %j, a pipe is not replaced", (policy) => {
  const expectNoReplacement = async (inputs: PropertyMap, outputs = stored): Promise<void> => {
    const before: PropertyMap = { ...outputs, ...policy };
    const after: PropertyMap = { ...inputs, ...policy };
    const difference = { changed: true, replaces: [] };
    expect(previewed(after, before)).toMatchObject({ failures: [], difference });
    // One update, which sends nothing, puts it into the state.
    const updated = await offlineLifecycle().lifecycle.update(pipeId, before, after);
    expect(previewed(after, updated).difference).toMatchObject({ changed: false });
  };

  const removable = ["source.kafka.topics", "source.kafka.offset", "destination.roles", "scaling"];
  test.each([...removable, "destination.tableDefinition"])("if the program removes %s", async (path) => {
    await expectNoReplacement(withProperty(stored, path, undefined));
  });

  test.each<[path: string, value: PropertyValue]>([
    ["scaling", { replicas: 2 }],
    ["scaling", { replicas: 2, replicaMemoryGb: 1 }],
    ["source.kafka.consumerGroup", "made-by-the-service"],
    ["destination", { tableDefinition: { sortingKey: ["id"] } }],
  ])("if the program declares what the API returns: %s as %j", async (path, value) => {
    await expectNoReplacement(withProperty(silent, path, value), { ...silent, observed });
  });
});

test.each<[path: string, value: PropertyValue, path: string, before: string, after: string]>([
  ["scaling", { replicas: 3 }, "scaling.replicas", "2", "3"],
  ["source.kafka.consumerGroup", "b", "source.kafka.consumerGroup", '"made-by-the-service"', '"b"'],
  // The API never returns it.
  ["destination", { roles: ["loader"] }, "destination.roles", "nothing", '["loader"]'],
])("another value than the API returns is refused: %s as %j", (path, value, changed, before, after) => {
  const inputs = withProperty(silent, path, value);
  expect(previewed(inputs, { ...silent, observed }).failures).toEqual([refusal(changed, before, after)]);
});

test.each<[value: PropertyValue, shown: string]>([
  [UNKNOWN, "a value that is not known yet"],
  [null, "null"],
  ["x".repeat(298), `"${"x".repeat(298)}"`],
  ["x".repeat(299), "a value of 301 characters"],
])("a message shows %p as %s", (value, shown) => {
  expect(shownValue(value, new Set())).toBe(shown);
});

const capitals = "ABCDEFAB-0000-4000-8000-00000000ABCD";

test.each<[what: string, before: PropertyMap, after: PropertyMap]>([
  ["a service id in capital letters", { serviceId: capitals.toLowerCase() }, { serviceId: capitals }],
  ["an adoption that the program removes", { adopt: organizationId }, { adopt: undefined }],
  ["another adoption of a pipe in the stack", { adopt: organizationId }, { adopt: serviceId }],
])("%s is no change", (_, before, after) => {
  const { failures, difference } = previewed({ ...stored, ...after }, { ...stored, ...before });
  expect(failures).toEqual([]);
  expect(difference).toMatchObject({ changed: false, replaces: [], deleteBeforeReplace: false });
});
