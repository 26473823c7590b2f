import { isNative } from "../../testkit/adapter";
import { valueAt } from "../../testkit/deployment";
import {
  complete,
  endpointIds,
  minimal,
  pipesProgram,
  withValue,
  type Json,
  type JsonObject,
} from "../../testkit/pipes";
import { newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed, newStack, type TestStack } from "../../testkit/stack";

async function start(program: string): Promise<{ simulator: Simulator; stack: TestStack }> {
  const { simulator, stack } = await deployed(program);
  takeWrites(simulator);
  return { simulator, stack };
}

const topics = "source.kafka.topics";
const deletable: JsonObject = { ...minimal.kafka, deletionPolicy: "delete" };

test('deletionPolicy "delete" allows no replacement, neither for a change of the program nor for drift', async () => {
  const explicit = { ...deletable, replacementPolicy: "refuse" };
  const { simulator, stack } = await start(pipesProgram({ implied: deletable, explicit }));
  const reason = (service: string, program: string): string =>
    `${topics} cannot be changed in place: the service has "${service}", the program declares "${program}".`;

  for (const [name, args] of Object.entries({ implied: deletable, explicit })) {
    const changed = withValue(args, topics, "other");
    await stack.write(pipesProgram({ implied: deletable, explicit, [name]: changed }));
    const preview = await stack.preview({ expectFailure: true });
    expect(preview.output).toContain(reason("orders", "other"));
    expect(preview.output).toContain('replacementPolicy: "allow"');
    const up = await stack.up({ expectFailure: true });
    expect(up.output).toContain(reason("orders", "other"));
  }
  await stack.write(pipesProgram({ implied: deletable, explicit }));
  await stack.preview({ expectNoChanges: true });

  // The first read after a write shows how the service writes the values; what comes after it is drift.
  await stack.refresh({ flags: ["--expect-no-changes"] });
  // Another client changes the pipe: refresh shows both values, and the refusal names both remedies.
  for (const name of ["implied", "explicit"])
    simulator.control.editPipe(pipeNamed(simulator, name).id, { source: { kafka: { topics: "theirs" } } });
  const refresh = await stack.pulumi(["refresh", "--preview-only", "--diff"]);
  expect(refresh.output).toMatch(/topics *: "orders" => "theirs"/);
  const drifted = await stack.up({ expectFailure: true, flags: ["--refresh"] });
  expect(drifted.output).toContain(reason("theirs", "orders"));
  expect(drifted.output).toMatch(/Declare what the service has.* or set replacementPolicy: "allow"/);
  expect(takeWrites(simulator)).toEqual([]);

  // The first remedy.
  const declared = (args: JsonObject): JsonObject => withValue(args, topics, "theirs");
  await stack.write(pipesProgram({ implied: declared(deletable), explicit: declared(explicit) }));
  await stack.up({ flags: ["--refresh"] });
  expect(takeWrites(simulator)).toEqual([]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("replaceOnChanges makes no replacement of a pipe whose policy refuses it", async () => {
  const options = '{ replaceOnChanges: ["name"] }';
  for (const args of [minimal.kafka, deletable]) {
    const { simulator, stack } = await start(pipesProgram({ orders: args }, options));
    const { id } = pipeNamed(simulator, "orders");
    await stack.write(pipesProgram({ orders: { ...args, name: "renamed" } }, options));
    const preview = await stack.preview({ expectFailure: true });
    expect(preview.output).toContain("name changed, and replaceOnChanges requires a replacement");
    expect(preview.output).toContain('replacementPolicy: "allow"');
    await stack.up({ expectFailure: true });
    expect(takeWrites(simulator)).toEqual([]);

    await stack.write(pipesProgram({ orders: { ...args, name: "renamed" } }));
    await stack.up();
    expect(takeWrites(simulator)).toEqual([
      { method: "PATCH", path: `/pipes/${id}`, body: { name: "renamed" } },
    ]);
  }
});

test("replaceOnChanges makes no replacement after a failed run", async () => {
  const simulator = await newSimulator({ stateSeconds: 600 });
  const waiting = { ...minimal.kafka, waitFor: { states: ["Running"], timeoutSeconds: 1 } };
  const program = pipesProgram({ orders: waiting }, '{ replaceOnChanges: ["*"] }');
  const stack = await newStack({ simulator, program });
  await stack.up({ expectFailure: true });
  expect(takeWrites(simulator)).toHaveLength(1);
  const up = await stack.up({ expectFailure: true });
  expect(up.output).toContain('Remove "*" and "#initerror" from replaceOnChanges');
  expect(takeWrites(simulator)).toEqual([]);

  await stack.write(pipesProgram({ orders: waiting }));
  simulator.control.editPipe(pipeNamed(simulator, "orders").id, { state: "Running" });
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});

const kafkaWithEndpoints = withValue(minimal.kafka, "source.kafka.reversePrivateEndpointIds", endpointIds);

/** Pipes as they are declared at first, and in another way that means the same. */
function declarations({ account }: Simulator, observed: Json): Record<string, [JsonObject, JsonObject]> {
  const { organizationId, serviceIds } = account;
  const scope = { organizationId, serviceId: serviceIds[0] ?? "" };
  const capitals = {
    organizationId: organizationId.toUpperCase(),
    serviceId: (serviceIds[0] ?? "").toUpperCase(),
  };
  const scaled = { ...minimal.kafka, scaling: complete.kafka["scaling"] ?? null };
  return {
    copied: [minimal.kafka, { ...minimal.kafka, scaling: observed }],
    partly: [minimal.kafka, { ...minimal.kafka, scaling: { replicas: 1 } }],
    dropped: [scaled, minimal.kafka],
    capitals: [
      { ...kafkaWithEndpoints, ...scope },
      {
        ...withValue(
          minimal.kafka,
          "source.kafka.reversePrivateEndpointIds",
          endpointIds.map((id) => id.toUpperCase()),
        ),
        ...capitals,
      },
    ],
  };
}

test("declaring what the service states, dropping it and writing a UUID in capitals send nothing and replace nothing", async () => {
  const simulator = await newSimulator();
  const programOf = (index: 0 | 1, observed: Json = null): string =>
    pipesProgram(
      Object.fromEntries(
        Object.entries(declarations(simulator, observed)).map(([name, pair]) => [name, pair[index]]),
      ),
    );
  const stack = await newStack({ simulator, program: programOf(0) });
  await stack.up();
  const observed = valueAt((await stack.export()).named("copied").outputs, "observed.scaling") as Json;
  expect(observed).toMatchObject({ replicas: 1 });
  takeWrites(simulator);

  // Declared in another spelling, then as before.
  for (const index of [1, 0] as const) {
    await stack.write(programOf(index, observed));
    const { output } = await stack.preview();
    expect(output).not.toMatch(/replace|to create|to delete/);
    await stack.up();
    expect(takeWrites(simulator)).toEqual([]);
    await stack.preview({ expectNoChanges: true });
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
    expect(takeWrites(simulator)).toEqual([]);
  }

  // Another value than the service states needs a replacement, also if the program declared none before.
  await stack.write(programOf(1, { replicas: 3 }));
  const changed = await stack.preview({ expectFailure: true });
  expect(changed.output).toContain(
    "scaling.replicas cannot be changed in place: the service has 1, the program declares 3.",
  );
});

test("an unknown kind of source counts neither as a second kind nor as none", async () => {
  const { kinesis } = minimal.kinesis["source"] as { kinesis: JsonObject };
  const { kafka } = minimal.kafka["source"] as { kafka: JsonObject };
  const program = `
    const first = new datapipes.Pipe("first", ${JSON.stringify(minimal.kafka)});
    const later = (value) => first.id.apply(() => value);
    const destination = { table: "few" };
    new datapipes.Pipe("other-kind", {
      source: { kafka: later(undefined), kinesis: ${JSON.stringify(kinesis)} }, destination });
    new datapipes.Pipe("own-kind", { source: { kafka: later(${JSON.stringify(kafka)}) }, destination });
    new datapipes.Pipe("two-kinds", {
      source: { kafka: later(${JSON.stringify(kafka)}), kinesis: later(undefined) }, destination });`;
  const simulator = await newSimulator();
  const stack = await newStack({ simulator, program });
  const preview = await stack.preview();
  expect(preview.output).toContain("5 to create");
  await stack.up();
  expect(Object.keys(pipeNamed(simulator, "other-kind").source)).toEqual(["kinesis"]);
  expect(Object.keys(pipeNamed(simulator, "own-kind").source)).toEqual(["kafka"]);
  expect(Object.keys(pipeNamed(simulator, "two-kinds").source)).toEqual(["kafka"]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("the preview refuses replaceWith under the policy to refuse", async () => {
  const leader = { ...deletable, replacementPolicy: "allow" };
  const program = (topic: string, options: string): string =>
    `const leader = new datapipes.Pipe("leader", ${JSON.stringify(withValue(leader, topics, topic))});
new datapipes.Pipe("follower", ${JSON.stringify(minimal.kafka)}, ${options});`;
  const { simulator, stack } = await start(program("orders", "{}"));
  await stack.write(program("other", "{ replaceWith: [leader] }"));
  const preview = await stack.preview({ expectFailure: true });
  // Only a class sees options: the native plugin refuses when the option has an effect.
  expect(preview.output).toContain(
    isNative
      ? "another provider, replaceWith or replacementTrigger requires a replacement, which replacementPolicy refuses"
      : "the option replaceWith replaces this resource whenever Pulumi replaces the resource that it names",
  );
  expect(takeWrites(simulator)).toEqual([]);
});
