import { expectNoChanges } from "./expectations";
import { complete, minimal, pipesProgram, tableMapping } from "../kit/pipes";
import { withValue, withValues, type JsonObject } from "../kit/json";
import { planOf } from "./plan";
import { pipeNamed, takeBodies, takeWrites } from "../kit/simulator";
import type { FaultKind } from "../../simulator/src/fault";
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
  expect(pipeNamed(simulator, "renamed")).toMatchObject({
    source: { kafka: { iamRole: "another-role", topics: "orders,returns" } },
    settings: { dbms_max_threads: 16, dbms_max_insert_threads: 2 },
    credentialsDigest: { "source.kafka.credentials": simulator.control.digest(credentials) },
  });
  await expectNoChanges(stack);
});

describe("of a mapping that takes two requests", () => {
  const mappings = (excluded: string[]): JsonObject =>
    withValue(minimal.postgres, "source.postgres.tableMappings", [
      { ...tableMapping("orders"), excludedColumns: excluded },
      tableMapping("returns"),
    ]);

  const interrupted = async (fault: FaultKind) => {
    const deployed = await deployStack(pipesProgram({ orders: mappings(["a"]) }), {
      config: { requestTimeoutSeconds: "2", maxRetries: "0" },
    });
    const { simulator, stack } = deployed;
    await stack.write(pipesProgram({ orders: mappings(["b"]) }));
    simulator.control.fault({ ...fault, operationId: "updatePipe", after: 1 });
    await stack.up({ expectFailure: true });
    return deployed;
  };
  const expectMappings = async ({ simulator, stack }: Awaited<ReturnType<typeof interrupted>>) => {
    expect(pipeNamed(simulator, "orders").source.postgres?.tableMappings).toHaveLength(2);
    await expectNoChanges(stack);
  };

  test.each<[what: string, fault: FaultKind]>([
    ["refused", { kind: "status", status: 400 }],
    ["not carried out", { kind: "hang" }],
  ])("the next run repeats a second one that was %s", async (_, fault) => {
    const deployed = await interrupted(fault);
    await deployed.stack.up();
    await expectMappings(deployed);
  });

  test("a refresh ends a second one whose answer was lost, as the error says", async () => {
    const deployed = await interrupted({ kind: "reset-after" });
    const { output } = await deployed.stack.up({ expectFailure: true });
    expect(output).toMatch(/exists already.*if an earlier run has sent the change, run `pulumi refresh`/);
    await deployed.stack.refresh();
    await expectMappings(deployed);
  });
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
  for (const { output } of [await stack.preview(), await stack.up()]) {
    expect(output).toMatch(/source\.kafka\.caCertificate\b.*cannot unset/);
    expect(output).toMatch(/settings\b.*cannot unset/);
    expect(output).toMatch(/source\.postgres\.settings\.pullBatchSize\b.*cannot unset/);
  }
  expect((await expectNoChanges(stack)).output).not.toContain("cannot unset");
  expect(takeWrites(simulator)).toEqual([]);
});
