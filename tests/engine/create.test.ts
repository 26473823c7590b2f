import { expectNoChanges, writesByPipe } from "./expectations";
import { valueAt } from "../kit/deployment";
import { mapValues, withValue } from "../kit/json";
import { completeAndMinimal, creationBody, minimal, pipesProgram, withOwnDatabases } from "../kit/pipes";
import { isNative, outputs, tokenOf } from "../kit/program";
import {
  type Pipe,
  type Simulator,
  newSimulator,
  pipeNamed,
  requestCounts,
  takeWrites,
} from "../kit/simulator";
import { type TestStack, deployStack, newStack } from "../kit/stack";

const pipes = withOwnDatabases(completeAndMinimal);

const posts = mapValues(pipes, (args, name) => [["POST", creationBody(name, args)]]);

const shown = ["id", "name", "state", "createdAt", "updatedAt", "organizationId", "serviceId", "source"];

test("sends one POST per pipe, then no change; the outputs have the declared and filled values", async () => {
  const simulator = await newSimulator();
  const program = `${pipesProgram(pipes)}
    const pipe = new datapipes.Pipe("orders", ${JSON.stringify(minimal.kafka)});
    ${outputs(Object.fromEntries([...shown, "settings", "observed"].map((name) => [name, `pipe.${name}`])))}`;
  const stack = await newStack({ simulator, program });
  const preview = await stack.preview();
  // The list shows what the new pipes would load twice.
  expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
  expect(preview.output).toContain(`${Object.keys(pipes).length + 2} to create`);

  await stack.up();
  const orders = [["POST", creationBody("orders", minimal.kafka)]];
  expect(writesByPipe(simulator)).toEqual({ ...posts, orders });
  await expectOutputs(stack, simulator);

  await stack.preview({ expectNoChanges: true });
  await stack.up({ flags: ["--expect-no-changes"] });
  await stack.refresh({ flags: ["--expect-no-changes"] });
  await expectNoChanges(stack);
  expect(takeWrites(simulator)).toEqual([]);
});

async function expectOutputs(stack: TestStack, simulator: Simulator): Promise<void> {
  const { organizationId, serviceIds } = simulator.account;
  const { id, createdAt, updatedAt } = pipeNamed(simulator, "orders");
  const { observed, ...declared } = await stack.outputs();
  expect(declared).toEqual({
    id,
    name: "orders",
    state: "Running",
    createdAt,
    updatedAt,
    organizationId,
    serviceId: serviceIds[0],
    source: minimal.kafka["source"],
  });
  expect(observed).toMatchObject({
    destination: { database: "default", managedTable: true },
    settings: { streamingMaxInsertWaitMs: 5000, dbmsParallelViewProcessing: false },
    scaling: { replicas: 1 },
  });
  const { type, inputs, outputs: stored } = (await stack.export()).named("orders");
  // The state refers to the installed provider: by the type, and for a dynamic resource by a text that never changes.
  expect(type).toBe(tokenOf("Pipe"));
  const handler = 'exports.handler = () => require("pulumi-datapipes/runtime").handler("Pipe");';
  for (const side of [inputs, stored]) expect(side?.["__provider"]).toBe(isNative ? undefined : handler);
  expect(valueAt(inputs, "serviceId")).toBe(serviceIds[0]);
}

const reversed = <T>(list: readonly T[] | undefined): T[] => (list ?? []).toReversed();

/** Changes that a server may make to an equal pipe: other orders of sets, nulls, and unknown fields. */
function rewritten({ source: { kafka, postgres }, destination, fieldMappings }: Pipe): object {
  const ids = kafka?.reversePrivateEndpointIds;
  const added = { future: null, state: "Ready" };
  const tableMappings = reversed(postgres?.tableMappings).map((mapping) => ({ ...mapping, ...added }));
  return {
    state: "Hibernating",
    source: {
      ...(ids && { kafka: { reversePrivateEndpointIds: reversed(ids), future: { deep: [1] } } }),
      ...(postgres && { postgres: { settings: { future: 1 }, tableMappings } }),
    },
    destination: { columns: reversed(destination.columns).map((column) => ({ ...column, codec: null })) },
    fieldMappings: reversed(fieldMappings).map((mapping) => ({ ...mapping, future: true })),
    settings: { future_setting: 7 },
    scaling: { futureGb: 0.5 },
    future: null,
    owner: { team: "data" },
  };
}

/** Where the minimal pipe of a kind has a value that the service filled in. */
const filledIn: [kind: string, path: string, value: unknown][] = [
  ["kafka", "source.kafka.consumerGroup", expect.stringMatching(/^datapipes-/)],
  ["objectStorage", "source.objectStorage.compression", "auto"],
  ["kinesis", "source.kinesis.useEnhancedFanOut", false],
  ["postgres", "source.postgres.settings.syncIntervalSeconds", 60],
];

/** The most lines of a preview with one drifted field: the engine's own frame, the path of the field and the end. */
const MOST_LINES = 45;

test("shows no difference in what the server adds or reorders, and of drift only what drifted", async () => {
  const { simulator, stack } = await deployStack(pipesProgram(pipes));
  for (const pipe of simulator.control.state().pipes) simulator.control.editPipe(pipe.id, rewritten(pipe));
  expect(Object.keys(writesByPipe(simulator))).toHaveLength(Object.keys(pipes).length);
  await stack.refresh({ flags: ["--expect-no-changes"] });
  const state = await stack.export();
  for (const name of Object.keys(pipes)) {
    const { outputs: stored } = state.named(name);
    expect(valueAt(stored, "state")).toBe("Hibernating");
    expect(valueAt(stored, "observed.owner.team")).toBe("data");
    expect(valueAt(stored, "observed.scaling.futureGb")).toBe(0.5);
  }
  for (const [kind, path, value] of filledIn) {
    const { outputs: stored } = state.named(`minimal-${kind}`);
    expect(valueAt(stored, `observed.${path}`)).toEqual(value);
    expect(stored).not.toHaveProperty("scaling");
    expect(stored).not.toHaveProperty("settings");
  }

  const setRole = (iamRole: string): void => {
    simulator.control.editPipe(pipeNamed(simulator, "kafka").id, { source: { kafka: { iamRole } } });
  };
  setRole("theirs");
  const { output } = await stack.preview({ diff: true, flags: ["--refresh"] });
  expect(output).toMatch(/iamRole *: "theirs" => "role-of-kafka"/);
  expect(output).not.toMatch(/observed|streamingMaxInsertWaitMs/);
  // The CLI prints a line of dots for each second that it waits.
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("@"));
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
  setRole("role-of-kafka");

  const source = { kafka: { reversePrivateEndpointIds: null, consumerGroup: null } };
  const empty = { settings: null, scaling: null, source, fieldMappings: [] };
  simulator.control.editPipe(pipeNamed(simulator, "minimal-kafka").id, empty);
  const declaredEmpty = withValue(pipes["minimal-kafka"] ?? {}, "source.kafka.reversePrivateEndpointIds", []);
  await stack.write(pipesProgram({ ...pipes, "minimal-kafka": { ...declaredEmpty, settings: null } }));
  await expectNoChanges(stack);
  expect(takeWrites(simulator)).toEqual([]);
});
