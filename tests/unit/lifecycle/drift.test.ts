import { currentInputs, importedInputs, refreshInputs } from "../../../provider/src/lifecycle/state/drift";
import * as schemas from "../../../provider/src/lifecycle/comparison/field-schema";
import { fieldsOf } from "../../../provider/src/lifecycle/comparison/fields";
import type { PrivateState } from "../../../provider/src/lifecycle/state/private-state";
import { valueAt } from "../../../provider/src/lifecycle/comparison/property-value";
import type { PropertyMap, PropertyValue } from "../../../provider/src/lifecycle/comparison/property-value";
import { withProperty } from "../../kit/lifecycle";
import { pipeFields } from "../../../provider/src/resources/pipe/schema";
import { changesOf } from "../../kit/pipe-fields";
import { complete } from "../../kit/pipes";

const { immutable, integer, list, normalized, object, optional, text, updatable } = schemas;
const members = { name: optional(text), cpu: optional(integer), tags: optional(list(text)) };
const id = normalized(optional(text), (value) => value.toLowerCase());
const fields = fieldsOf(
  {
    fixed: immutable(object({ ...members, id })),
    open: updatable(object({ ...members, secret: optional(text) })),
  },
  new Set(),
);

interface Read {
  before?: PropertyValue;
  now: PropertyValue;
  memory?: PrivateState;
}

/** What a refresh makes of one declared field. */
function refreshed(path: string, declared: PropertyValue, { before = declared, now, memory = {} }: Read) {
  const holding = (value: PropertyValue): PropertyMap => withProperty({}, path, value);
  const observation = { declared: holding(declared), lastRead: holding(before), current: holding(now) };
  const { declared: inputs, omitted } = refreshInputs(fields, { ...observation, privateState: memory });
  return { declared: valueAt(inputs, path.split(".")), omitted };
}

/** What a pipe declares after the API turned `before` into `now`. */
const refreshedPipe = (declared: PropertyMap, before: PropertyMap, now: PropertyMap): PropertyMap =>
  refreshInputs(pipeFields, { declared, lastRead: before, current: now }).declared;

describe("of an immutable field, a refresh", () => {
  test.each<[what: string, path: string, declared: PropertyValue, now: PropertyValue]>([
    ["an answer without it", "fixed.name", "a", undefined],
    ["a text of the same number", "fixed.cpu", 125, "125"],
  ])("reports no drift for %s", (_, path, declared, now) => {
    expect(refreshed(path, declared, { now })).toEqual({ declared, omitted: [] });
  });

  test.each<[path: string, declared: PropertyValue, now: PropertyValue]>([
    ["fixed.cpu", 125, 0],
    ["fixed.name", "Orders", "orders"],
    ["fixed.tags", ["a", "b"], ["b"]],
  ])("reports no drift for the first read after a write: %s, %j as %j", (path, declared, now) => {
    expect(refreshed(path, declared, { now, memory: { written: true } }).declared).toEqual(declared);
  });

  test("reports no drift for a format that an earlier read had found", () => {
    const { declared } = refreshed("fixed.name", "Orders", { before: "orders", now: "orders" });
    expect(declared).toBe("Orders");
  });

  test.each<[string, path: string, declared: PropertyValue, before: PropertyValue, now: PropertyValue]>([
    ["another value at a later read", "fixed.name", "a", "a", "b"],
    ["another value after another way to write it", "fixed.name", "Orders", "orders", "other"],
    ["zero at a later read", "fixed.cpu", 125, 125, 0],
    ["another id", "fixed.id", "ab-1", "AB-1", "ab-2"],
    ["another list", "fixed.tags", ["a", "b"], ["a", "b"], ["b", "a"]],
  ])("reports drift for %s, also if an answer once omitted the field", (_, path, declared, before, now) => {
    for (const memory of [{}, { omitted: [path] }])
      expect(refreshed(path, declared, { before, now, memory }).declared).toEqual(now);
  });
});

describe("of an updatable field, a refresh", () => {
  const masked = { written: true, sent: ["open.secret"], former: { open: { secret: "***" } } };

  test.each(["b", undefined])("reports %s as drift, also at the first read after an update", (now) => {
    for (const memory of [{}, { written: true, sent: ["open.secret"] }])
      expect(refreshed("open.name", "a", { now, memory })).toEqual({ declared: now, omitted: [] });
  });

  test("reports another value as drift at the first read after a create", () => {
    const read = refreshed("open.name", "a", { now: "b", memory: { written: true } });
    expect(read).toEqual({ declared: "b", omitted: [] });
  });

  test("reports no drift at the first read after a create if the service omits the value", () => {
    const read = refreshed("open.name", "a", { now: undefined, memory: { written: true } });
    expect(read).toEqual({ declared: "a", omitted: ["open.name"] });
  });

  test.each<[shown: string, what: string, read: Read]>([
    // So the next preview shows an update, which costs one PATCH.
    ["***", "a masked form after the create", { now: "***", memory: { written: true } }],
    ["key", "the same mask after the update that it cost", { now: "***", memory: masked }],
    ["key", "the same mask at later reads", { before: "***", now: "***" }],
    ["****", "another mask at a later read", { before: "***", now: "****" }],
    ["other", "a change by another client after an update", { now: "other", memory: masked }],
  ])("shows %j for %s", (shown, _, read) => {
    expect(refreshed("open.secret", "key", read).declared).toBe(shown);
  });

  const known = { omitted: ["open.name"] };
  const updated = { written: true, sent: ["open.name"], former: {} };
  test.each<[shown: PropertyValue, what: string, read: Read, omitted: string[]]>([
    [undefined, "a value that the API omits", { now: undefined }, []],
    ["a", "an omission after the update that it cost", { now: undefined, memory: updated }, ["open.name"]],
    ["a", "a known omission", { now: undefined, memory: known }, ["open.name"]],
    ["b", "another value after an omission", { now: "b", memory: known }, []],
    ["a", "a value that neither read returns", { before: null, now: undefined }, []],
  ])("shows %j for %s", (declared, _, read, omitted) => {
    expect(refreshed("open.name", "a", read)).toEqual({ declared, omitted });
  });
});

describe("a refresh of a pipe", () => {
  test.each([...changesOf("kafka"), ...changesOf("postgres")])(
    "that another client changed $path of a $kind pipe is shown: $isReturned",
    ({ kind, path, to, isReturned }) => {
      const withPolicies = { name: "orders", adopt: "x", deletionPolicy: "retain" };
      const declared: PropertyMap = { ...complete[kind], ...withPolicies };
      const now = withProperty(declared, path, to);
      expect(refreshedPipe(declared, declared, now)).toEqual(isReturned ? now : declared);
    },
  );

  test("ignores values that the server filled in for undeclared fields", () => {
    const declared = { name: "a", source: { kafka: { brokers: "b" } } };
    const filled = {
      ...withProperty(declared, "source.kafka.consumerGroup", "made-up"),
      scaling: { replicas: 2 },
      destination: { database: "default", columns: [{ name: "c", type: "t" }] },
    };
    expect(refreshedPipe(declared, filled, filled)).toBe(declared);
    expect(refreshedPipe(declared, filled, withProperty(filled, "scaling.replicas", 5))).toBe(declared);
  });
});

test("right after a write, declared fields have the API's values, except write-only ones", () => {
  const found = withProperty(complete.kafka, "scaling.replicas", 3);
  const stated = currentInputs(pipeFields, { ...complete.kafka, adopt: "x", serviceId: "s" }, found);
  expect(stated).toMatchObject({ adopt: "x", scaling: { replicas: 3 } });
  for (const path of ["source.kafka.credentials", "destination.roles", "serviceId"])
    expect(stated).not.toHaveProperty(path);
  expect(stated).toHaveProperty("source.validateSamples", true);
});

test("right after a write, the inputs have no field that the program does not declare", () => {
  expect(currentInputs(pipeFields, { name: "a" }, { name: "a", fieldMappings: [] })).toStrictEqual({
    name: "a",
  });
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
