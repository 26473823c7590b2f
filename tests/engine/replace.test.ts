import { retainMark, tokenOf } from "../../testkit/adapter";
import { leafFields } from "../../provider/src/core/fields";
import {
  complete,
  minimal,
  pipesProgram,
  withValue,
  type Json,
  type JsonObject,
  type SourceKind,
} from "../../testkit/pipes";
import { declaration } from "../../testkit/program";
import { takeWrites } from "../../testkit/simulator";
import { pipeFields } from "../../testkit/pipe-fields";
import { deployed, type TestStack } from "../../testkit/stack";

const otherService = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** Fields whose change replaces a pipe, each with another value. */
const immutable: Record<SourceKind, Record<string, Json>> = {
  kafka: {
    serviceId: otherService,
    organizationId: otherService,
    "source.kafka.brokers": "b-2.example:9092",
    "source.kafka.topics": "other",
    "source.kafka.consumerGroup": "other",
    "source.kafka.offset.timestamp": "2026-02-28T23:59",
    "source.kafka.schemaRegistry.url": "https://other.example",
    "source.kafka.schemaRegistry.caCertificate": "other",
    "source.kafka.schemaRegistry.credentials": { username: "registry-user", password: "other-password" },
    "destination.database": "other",
    "destination.table": "other",
    "destination.managedTable": false,
    "destination.tableDefinition.engine.versionColumnId": "note",
    "destination.tableDefinition.engine.columnIds": ["note"],
    "destination.tableDefinition.sortingKey": ["note"],
    "destination.tableDefinition.partitionBy": "id",
    "destination.tableDefinition.primaryKey": "note",
    "destination.roles": ["other"],
    "scaling.replicas": 3,
    "scaling.concurrency": 4,
    "scaling.replicaCpuMillicores": 1000,
    "scaling.replicaMemoryGb": 2.5,
  },
  objectStorage: {
    "source.objectStorage.url": "https://other.example/*",
    "source.objectStorage.delimiter": ",",
    "source.objectStorage.compression": "zstd",
    "source.objectStorage.isContinuous": false,
    "source.objectStorage.queueUrl": "https://queue.example/other",
  },
  kinesis: {
    "source.kinesis.streamName": "other",
    "source.kinesis.region": "eu-west-1",
    "source.kinesis.useEnhancedFanOut": false,
    "source.kinesis.timestamp": 1_770_000_000,
  },
  postgres: {
    "source.postgres.settings.publicationName": "other",
    "source.postgres.settings.replicationSlotName": "other",
    "source.postgres.settings.allowNullableColumns": false,
    "source.postgres.settings.initialLoadParallelism": 8,
    "source.postgres.settings.snapshotNumRowsPerPartition": 8,
    "source.postgres.settings.snapshotNumberOfParallelTables": 8,
    "source.postgres.settings.enableFailoverSlots": false,
  },
};

function changedBy(args: JsonObject, changes: Record<string, Json>): JsonObject {
  return Object.entries(changes).reduce((copy, [path, value]) => withValue(copy, path, value), args);
}

test("has a case for each field whose change replaces the pipe", () => {
  const paths = Object.values(immutable).flatMap(Object.keys);
  const missing = leafFields(pipeFields).filter(
    ({ onChange, displayPath }) =>
      onChange === "replace" && !paths.some((path) => `${path}.`.startsWith(`${displayPath}.`)),
  );
  expect(missing.map(({ displayPath }) => displayPath)).toEqual([]);
});

test("the preview refuses each immutable change with its path", async () => {
  const { simulator, stack } = await deployed(pipesProgram(complete));
  takeWrites(simulator);

  for (const [kind, changes] of Object.entries(immutable)) {
    const changed = changedBy(complete[kind as SourceKind], changes);
    await stack.write(pipesProgram({ ...complete, [kind]: changed }));
    const { output } = await stack.preview({ expectFailure: true });
    for (const path of Object.keys(changes))
      expect(output).toMatch(new RegExp(`\\b${path.replaceAll(".", "\\.")}\\b`));
    expect(output).toContain("replacementPolicy");
    expect(output).toContain("deletionPolicy");
    expect(output).not.toMatch(/[a-z]+-password|secret-key|account-key/);
  }

  await stack.up({ expectFailure: true });
  expect(takeWrites(simulator)).toEqual([]);
  await stack.write(pipesProgram(complete));
  await stack.preview({ expectNoChanges: true });
});

test("the preview refuses another kind of source", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: complete.kafka }));
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: complete.kinesis }));
  const { output } = await stack.preview({ expectFailure: true });
  expect(output).toContain("source");
  expect(output).toContain("replacementPolicy");
  expect(output).not.toMatch(/[a-z]+-password|secret-key/);
  expect(takeWrites(simulator)).toEqual([]);
});

/** What a preview would do to pipes, in its order. */
async function plannedSteps(stack: TestStack): Promise<string[]> {
  const { stdout } = await stack.preview({ json: true, flags: ["--show-replacement-steps"] });
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  return steps.filter(({ urn }) => urn.includes(tokenOf("Pipe"))).map(({ op }) => op);
}

test('creates the new pipe first and keeps the old one running under replacementPolicy "allow"', async () => {
  const args = { ...complete.kafka, replacementPolicy: "allow" };
  const { simulator, stack } = await deployed(pipesProgram({ orders: args }));
  takeWrites(simulator);

  await stack.write(pipesProgram({ orders: withValue(args, "source.kafka.topics", "other") }));
  expect(await plannedSteps(stack)).toEqual(["create-replacement", "replace", "delete-replaced"]);
  const preview = await stack.preview({ diff: true });
  expect(preview.output).toMatch(/topics *: "orders,returns" => "other"/);
  const { output } = await stack.up();
  expect(output).toMatch(new RegExp(`Pipe orders deleted original \\(.*\\)${retainMark}`));
  expect(takeWrites(simulator).map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /pipes"]);
  expect(simulator.control.state().pipes.map(({ source }) => source.kafka?.topics)).toEqual([
    "orders,returns",
    "other",
  ]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test('deletes the old pipe before it creates the new one under deletionPolicy "delete"', async () => {
  const args = { ...complete.kafka, deletionPolicy: "delete", replacementPolicy: "allow" };
  const { simulator, stack } = await deployed(pipesProgram({ orders: args }));
  takeWrites(simulator);

  await stack.write(pipesProgram({ orders: withValue(args, "destination.roles", ["other"]) }));
  expect(await plannedSteps(stack)).toEqual(["delete-replaced", "replace", "create-replacement"]);
  await stack.up();
  expect(takeWrites(simulator).map(({ method }) => method)).toEqual(["DELETE", "POST"]);
  expect(simulator.control.state().pipes).toHaveLength(1);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("a field that the server filled in can be declared with that very value", async () => {
  const few = { source: { kafka: { topics: "orders" } }, destination: { table: "orders" } };
  const { simulator, stack } = await deployed(pipesProgram({ orders: few }));
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: { ...few, settings: { streamingMaxInsertWaitMs: 5000 } } }));
  await stack.up();
  expect(takeWrites(simulator).length).toBeLessThanOrEqual(1);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("the advice after an unclear create of a replacement takes over what it created, and creates nothing more", async () => {
  const pipe = (topics: string, more: object = {}): string =>
    declaration("Pipe", "orders", {
      ...withValue(minimal.kafka, "source.kafka.topics", topics),
      replacementPolicy: "allow",
      ...more,
    });
  const { simulator, stack } = await deployed(pipe("first"));
  simulator.control.fault({ operationId: "createPipe", kind: "echo", processed: true });
  await stack.write(pipe("second"));
  const failed = await stack.up({ expectFailure: true });
  const created = simulator.control.state().pipes.find(({ source }) => source.kafka?.topics === "second");
  expect(failed.output).toContain(`has appeared: ${created?.id ?? ""}`);
  expect(failed.output).toContain("run `pulumi state delete <URN of the resource>` and set adopt to its id");

  await stack.pulumi(["state", "delete", (await stack.export()).named("orders").urn, "--yes"]);
  takeWrites(simulator);
  await stack.write(pipe("second", { adopt: created?.id }));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).named("orders").id).toBe(created?.id);
});
