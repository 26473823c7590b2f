import { UNKNOWN, valueAt } from "../../../provider/src/lifecycle/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/property-value";
import { changesOf, KINDS } from "../../kit/pipe-fields";
import { complete } from "../../kit/pipes";
import {
  preview,
  withProperty,
  offlineLifecycle,
  organizationId,
  pipeId,
  serviceId,
} from "../../kit/lifecycle";

const stored: PropertyMap = { ...complete.kafka, organizationId, serviceId, name: "orders" };

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

test.each(replacing)(
  "of a $kind pipe, a change of $path is refused with both values, or replaces if allowed",
  ({ kind, path, to, isSecret }) => {
    const pipe: PropertyMap = { ...complete[kind], organizationId, serviceId, name: "orders" };
    const inputs = withProperty(pipe, path, to);
    const before = JSON.stringify(valueAt(pipe, path.split(".")));
    const failure = isSecret ? undone(path) : refusal(path, before, JSON.stringify(to));
    expect(previewed(inputs, pipe).failures).toEqual([failure]);
    for (const deletionPolicy of ["retain", "delete"]) {
      const { failures, difference } = previewed({ ...inputs, ...ALLOW, deletionPolicy }, pipe);
      expect(failures).toEqual([]);
      const deleteBeforeReplace = deletionPolicy === "delete";
      expect(difference).toMatchObject({ changed: true, replaces: [path], deleteBeforeReplace });
    }
    // A value that is not known yet replaces nothing that the policy does not allow.
    const unknown = withProperty(pipe, path, UNKNOWN);
    const refused = previewed(unknown, pipe);
    expect(refused).toMatchObject({ failures: [], difference: { changed: true, replaces: [] } });
    expect(previewed({ ...unknown, ...ALLOW }, pipe).difference?.replaces).toContain(path);
  },
);

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

describe("replaces nothing, whatever the policies,", () => {
  const expectNoReplacement = async (inputs: PropertyMap, outputs = stored): Promise<void> => {
    for (const policy of [{}, ALLOW, { deletionPolicy: "delete" }]) {
      const before: PropertyMap = { ...outputs, ...policy };
      const after: PropertyMap = { ...inputs, ...policy };
      const difference = { changed: true, replaces: [] };
      expect(previewed(after, before)).toMatchObject({ failures: [], difference });
      // One update, which sends nothing, puts it into the state.
      const updated = await offlineLifecycle().lifecycle.update(pipeId, before, after);
      expect(previewed(after, updated).difference).toMatchObject({ changed: false });
    }
  };

  const removable = ["source.kafka.topics", "source.kafka.offset", "destination.roles", "scaling"];
  test.each([...removable, "destination.tableDefinition"])("without a declared %s", async (path) => {
    await expectNoReplacement(withProperty(stored, path, undefined));
  });

  const { name } = stored;
  const silent: PropertyMap = { organizationId, serviceId, name, source: { kafka: { brokers: "b:9092" } } };
  const observed: PropertyMap = {
    scaling: { replicas: 2, replicaMemoryGb: 1 },
    source: { kafka: { consumerGroup: "made-by-the-service" } },
    destination: { tableDefinition: { sortingKey: ["id"] } },
  };

  test.each<[path: string, value: PropertyValue]>([
    ["scaling", { replicas: 2 }],
    ["scaling", { replicas: 2, replicaMemoryGb: 1 }],
    ["source.kafka.consumerGroup", "made-by-the-service"],
    ["destination", { tableDefinition: { sortingKey: ["id"] } }],
  ])("when the program declares what the API returns already: %s as %j", async (path, value) => {
    await expectNoReplacement(withProperty(silent, path, value), { ...silent, observed });
  });

  test.each<[path: string, value: PropertyValue, observed: PropertyMap]>([
    ["scaling", { replicas: 3 }, observed],
    ["source.kafka.consumerGroup", "another", observed],
    // The API never returns it.
    ["destination", { roles: ["loader"] }, { ...observed, destination: { roles: ["loader"] } }],
  ])("except when the program declares another value: %s as %j", (path, value, returned) => {
    const outputs = { ...silent, observed: returned };
    expect(previewed(withProperty(silent, path, value), outputs).failures).toHaveLength(1);
  });
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
