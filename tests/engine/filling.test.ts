import { valueAt } from "../../testkit/deployment";
import {
  complete,
  completeAndMinimal as pipes,
  minimal,
  pipesProgram,
  withValue,
  type SourceKind,
} from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites, type Pipe } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

const kinds = Object.keys(complete) as SourceKind[];

const reversed = <T>(list: readonly T[] | undefined): T[] => (list ?? []).toReversed();

/** Changes that a server may make to an equal pipe: other orders of sets, nulls, and unknown fields. */
function rewritten({ source, destination, fieldMappings }: Pipe): object {
  const { kafka, postgres } = source;
  const rewrittenSource = {
    ...(kafka?.reversePrivateEndpointIds && {
      kafka: { reversePrivateEndpointIds: reversed(kafka.reversePrivateEndpointIds), future: { deep: [1] } },
    }),
    ...(postgres && {
      postgres: {
        settings: { future: 1 },
        tableMappings: reversed(postgres.tableMappings).map((mapping) => ({
          ...mapping,
          future: null,
          state: "Ready",
        })),
      },
    }),
  };
  return {
    state: "Hibernating",
    source: rewrittenSource,
    destination: { columns: reversed(destination.columns).map((column) => ({ ...column, codec: null })) },
    fieldMappings: reversed(fieldMappings).map((mapping) => ({ ...mapping, future: true })),
    settings: { future_setting: 7 },
    scaling: { futureGb: 0.5 },
    future: null,
    owner: { team: "data" },
  };
}

test("shows no diff for values that the server adds, reorders or leaves empty", async () => {
  const { simulator, stack } = await deployed(pipesProgram(pipes));
  for (const pipe of simulator.control.state().pipes) simulator.control.editPipe(pipe.id, rewritten(pipe));
  takeWrites(simulator);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.refresh({ flags: ["--expect-no-changes"] });

  const state = await stack.export();
  for (const name of Object.keys(pipes)) {
    const { outputs } = state.named(name);
    expect(valueAt(outputs, "state")).toBe("Hibernating");
    expect(valueAt(outputs, "observed.owner.team")).toBe("data");
    expect(valueAt(outputs, "observed.scaling.futureGb")).toBe(0.5);
  }
  const filledIn = (kind: string, path: string): unknown =>
    valueAt(state.named(`minimal-${kind}`).outputs, path);
  expect(filledIn("kafka", "observed.source.kafka.consumerGroup")).toMatch(/^datapipes-/);
  expect(filledIn("objectStorage", "observed.source.objectStorage.compression")).toBe("auto");
  expect(filledIn("kinesis", "observed.source.kinesis.useEnhancedFanOut")).toBe(false);
  expect(filledIn("postgres", "observed.source.postgres.settings.syncIntervalSeconds")).toBe(60);
  for (const kind of kinds) expect(filledIn(kind, "scaling") ?? filledIn(kind, "settings")).toBeUndefined();

  const nulls = {
    settings: null,
    scaling: null,
    source: { kafka: { reversePrivateEndpointIds: null, consumerGroup: null } },
  };
  simulator.control.editPipe(pipeNamed(simulator, "minimal-kafka").id, { ...nulls, fieldMappings: [] });
  const declaredEmpty = withValue(
    withValue(minimal.kafka, "source.kafka.reversePrivateEndpointIds", []),
    "settings",
    null,
  );
  await stack.write(pipesProgram({ ...pipes, "minimal-kafka": declaredEmpty }));
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(takeWrites(simulator)).toEqual([]);
});

test("reads settings back after an update, and warns with both values of those that the service did not take", async () => {
  const simulator = await newSimulator({ ignoreSettings: true });
  const declared = { orders: complete.kafka, clicks: complete.kinesis, replica: complete.postgres };
  const stack = await newStack({ simulator, program: pipesProgram(declared) });
  await stack.up();
  simulator.control.clearRequests();
  const changed = {
    orders: withValue(
      withValue(complete.kafka, "settings.dbmsMaxThreads", 13),
      "source.kafka.iamRole",
      "another",
    ),
    clicks: withValue(complete.kinesis, "source.kinesis.iamRole", "another"),
    replica: { ...complete.postgres, settings: { dbmsMaxThreads: 13 } },
  };
  await stack.write(pipesProgram(changed));
  const { output } = await stack.up();
  expect(output).toMatch(/settings\.dbmsMaxThreads was sent as 13, but the API returned 6/);
  expect(output.match(/but the API returned/g)?.length).toBe(
    output.match(/settings\.dbmsMaxThreads was sent/g)?.length,
  );
  const asked = simulator.control.requests().map(({ operationId, status }) => [operationId, status]);
  expect(asked.filter(([operation]) => operation === "updatePipe")).toHaveLength(3);
  expect(asked.filter(([operation]) => operation === "getPipeSettings")).toEqual(
    expect.arrayContaining([
      ["getPipeSettings", 200],
      ["getPipeSettings", 404],
    ]),
  );
  expect(asked).toHaveLength(5);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
