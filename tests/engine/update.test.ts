import { expectNoChanges } from "./expectations";
import { complete, pipesProgram } from "../kit/pipes";
import { withValue, withValues } from "../kit/json";
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
