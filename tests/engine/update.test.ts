import { expectNoChanges } from "./expectations";
import { complete, minimal, pipesProgram, tableMapping } from "../kit/pipes";
import { withValue, withValues, type JsonObject } from "../kit/json";
import { messagesOf } from "./messages";
import { planOf } from "./plan";
import { takeBodies, takeWrites } from "../kit/simulator";
import { deployStack } from "../kit/stack";

test("sends only the changed fields, in one PATCH", async () => {
  const credentials = { username: "kafka-user", password: "another-password" };
  // With validateSamples, the provider would send it along.
  const before = withValue(complete.kafka, "source.validateSamples", undefined);
  const { simulator, stack } = await deployStack(pipesProgram({ orders: before }));
  takeWrites(simulator);
  const changed = withValues(before, {
    "source.kafka.credentials": credentials,
    "source.kafka.iamRole": "another-role",
    "settings.dbmsMaxThreads": 16,
    name: "renamed",
  });
  await stack.write(pipesProgram({ orders: changed }));
  expect((await planOf(stack)).steps).toEqual({ orders: ["update"] });
  expect(takeWrites(simulator)).toEqual([]);
  await stack.up();
  const source = { kafka: { iamRole: "another-role", credentials } };
  const body = { name: "renamed", source, settings: { dbms_max_threads: 16 } };
  expect(takeBodies(simulator)).toEqual([body]);
  await expectNoChanges(stack);
});

test("keeps a field that is no longer declared, and warns once", async () => {
  const { kafka, postgres } = complete;
  const { simulator, stack } = await deployStack(pipesProgram({ kafka, postgres }));
  takeWrites(simulator);
  await stack.write(
    pipesProgram({
      kafka: withValues(kafka, { "source.kafka.caCertificate": undefined, settings: undefined }),
      postgres: withValue(postgres, "source.postgres.settings.pullBatchSize", undefined),
    }),
  );
  const keeps = (pipe: string, fields: string): unknown =>
    expect.stringMatching(`^warning: pipe "${pipe}" .* declares ${fields}\\. .* cannot unset a field\\.$`);
  const warnings = [
    keeps("kafka", "source.kafka.caCertificate, settings.\\w+, settings.\\w+ and 10 more"),
    keeps("postgres", "source.postgres.settings.pullBatchSize"),
  ];
  for (const { output } of [await stack.preview(), await stack.up()]) {
    const texts = messagesOf(output).map(({ text }) => text);
    expect(texts.sort()).toEqual(warnings);
  }
  expect((await expectNoChanges(stack)).output).not.toContain("cannot unset");
  expect(takeWrites(simulator)).toEqual([]);
});

test("compares table mappings that are declared again with those of the service", async () => {
  const a = tableMapping("a");
  const b = tableMapping("b");
  const c = tableMapping("c");
  const withMappings = (...mappings: readonly JsonObject[]): string =>
    pipesProgram({ shop: withValue(minimal.postgres, "source.postgres.tableMappings", [...mappings]) });
  const { simulator, stack } = await deployStack(withMappings(a, b));
  const undeclared = pipesProgram({
    shop: withValue(minimal.postgres, "source.postgres.tableMappings", undefined),
  });
  takeWrites(simulator);
  for (const [program, ...bodies] of [
    [undeclared],
    [withMappings(a, b)],
    [undeclared],
    [withMappings(a, c), { tableMappingsToAdd: [c], tableMappingsToRemove: [b] }],
  ] as const) {
    await stack.write(program);
    await stack.up();
    expect(takeBodies(simulator)).toEqual(bodies.map((postgres) => ({ source: { postgres } })));
    await expectNoChanges(stack);
  }
});
