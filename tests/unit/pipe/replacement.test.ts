import { describeFailure } from "../../../provider/src/core/check";
import { UNKNOWN, type PropertyMap, type PropertyValue } from "../../../provider/src/core/property-value";
import { complete } from "../../support/pipes";
import { edited, offline, organizationId, pipeId, serviceId } from "./offline";

const stored: PropertyMap = { ...complete.kafka, organizationId, serviceId, name: "orders" };

function refusalsOf(news: PropertyMap): string[] {
  return offline().lifecycle.check(stored, news).failures.map(describeFailure);
}

const refusal = (path: string): string =>
  `${path} cannot be changed in place, and another one would be made while the first goes on. Undo the change ` +
  `(or keep what is there with ignoreChanges: ["${path}"]), or set deletionPolicy: "delete" to have the first ` +
  `deleted before, or replacementPolicy: "allow" to let both go on.`;

const FIXED: [path: string, value: PropertyValue][] = [
  ["organizationId", pipeId],
  ["serviceId", pipeId],
  ["source.kafka.brokers", "other:9092"],
  ["source.kafka.topics", undefined],
  ["source.kafka.consumerGroup", "other"],
  ["source.kafka.offset.timestamp", "2026-02-01T00:00"],
  ["source.kafka.schemaRegistry.url", "https://other.example"],
  ["source.kafka.schemaRegistry.credentials", { username: "a", password: "b" }],
  ["destination.database", "other"],
  ["destination.table", "other"],
  ["destination.managedTable", false],
  ["destination.tableDefinition.primaryKey", "note"],
  ["destination.roles", ["loader"]],
  ["scaling.replicas", 9],
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
  test.each(FIXED)("a change of %s is refused at its path, with what can be done instead", (path, value) => {
    // Configuration gives the ids back where the program is silent, so these are only ever changed.
    expect(refusalsOf(edited(stored, path, value))).toEqual([refusal(path)]);
  });

  test.each(IN_PLACE)("a change of %s is not refused", (path, value) => {
    expect(refusalsOf(edited(stored, path, value))).toEqual([]);
  });

  test.each(FIXED)("%s may become something that is not known yet, and replaces nothing then", (path) => {
    const news = edited(stored, path, UNKNOWN);
    expect(refusalsOf(news)).toEqual([]);
    expect(offline().lifecycle.diff(pipeId, stored, news)).toMatchObject({ changed: true });
  });

  test("every offending property is named", () => {
    const news = edited(edited(stored, "scaling.replicas", 9), "source.kafka.brokers", "other");
    expect(refusalsOf(news)).toEqual([refusal("source.kafka.brokers"), refusal("scaling.replicas")]);
  });

  test("another kind of source is refused at both kinds", () => {
    expect(refusalsOf({ ...stored, source: complete.kinesis["source"] })).toEqual([
      refusal("source.kafka"),
      refusal("source.kinesis"),
    ]);
  });

  test("an explicit policy of refusal is the same", () => {
    const news = edited(
      { ...stored, replacementPolicy: "refuse", deletionPolicy: "retain" },
      "scaling.replicas",
      9,
    );
    expect(refusalsOf(news)).toEqual([refusal("scaling.replicas")]);
  });

  test("a refusal shows no value", () => {
    const news = edited(stored, "source.kafka.schemaRegistry.credentials", {
      username: "canary-a",
      password: "canary-b",
    });
    expect(refusalsOf(news).join("\n")).not.toMatch(/canary|registry-password/);
  });

  test("a wrong type is told once, beside the refusals of other fields", () => {
    const news = edited(edited(stored, "scaling.replicas", "9"), "destination.table", "other");
    expect(refusalsOf(news)).toEqual(["scaling.replicas must be a number", refusal("destination.table")]);
  });
});

describe.each([
  ["replacementPolicy allow", { replacementPolicy: "allow" }, false],
  ["deletionPolicy delete", { deletionPolicy: "delete" }, true],
  ["both", { replacementPolicy: "allow", deletionPolicy: "delete" }, true],
])("with %s", (_policy, policy, deleteBeforeReplace) => {
  test.each(FIXED)("a change of %s replaces", (path, value) => {
    const news = { ...edited(stored, path, value), ...policy };
    expect(refusalsOf(news)).toEqual([]);
    expect(offline().lifecycle.diff(pipeId, stored, news)).toEqual({
      changed: true,
      replaces: [path],
      deleteBeforeReplace,
    });
  });

  test.each(FIXED)("%s that is not known yet may replace", (path) => {
    const news = { ...edited(stored, path, UNKNOWN), ...policy };
    const { replaces } = offline().lifecycle.diff(pipeId, stored, news);
    expect(replaces).toContain(path);
  });

  test.each(IN_PLACE.filter(([path]) => path !== "deletionPolicy"))(
    "a change of %s replaces nothing",
    (path, value) => {
      const news = { ...edited(stored, path, value), ...policy };
      expect(offline().lifecycle.diff(pipeId, stored, news).replaces).toEqual([]);
    },
  );
});

test("the policy is that of the program, not that of the state", () => {
  const olds = { ...stored, deletionPolicy: "delete", replacementPolicy: "allow" };
  const news = edited(stored, "scaling.replicas", 9);
  const { lifecycle } = offline();
  expect(lifecycle.check(olds, news).failures).toHaveLength(1);
});

test("a pipe that is retained goes on running, and the user is told so without a request", async () => {
  const { lifecycle, lines } = offline();
  await lifecycle.delete(pipeId, stored);
  await lifecycle.delete(pipeId, { ...stored, deletionPolicy: "retain" });
  const line =
    `pipe "orders" (${pipeId}) goes on running and loading data: its deletionPolicy is "retain", so nothing was sent to ` +
    `the API. Pulumi no longer manages it.`;
  expect(lines).toEqual([line, line]);
});

test("a pipe is deleted by the program's policy, when the state still holds another one", async () => {
  const { lifecycle, lines } = offline();
  const blown = "This test must not reach for the API.";
  lifecycle.diff(pipeId, stored, { ...stored, deletionPolicy: "delete" });
  await expect(lifecycle.delete(pipeId, stored)).rejects.toThrow(blown);
  expect(lines).toEqual([]);
  const deleting = { ...stored, deletionPolicy: "delete" };
  await expect(offline().lifecycle.delete(pipeId, deleting)).rejects.toThrow(blown);
  lifecycle.diff(pipeId, deleting, stored);
  await lifecycle.delete(pipeId, deleting);
  expect(lines).toHaveLength(1);
});
