import { expectNoChanges } from "./expectations";
import { type JsonObject, withValue, withValues } from "../kit/json";
import { KINDS, type SourceKind } from "../kit/pipe-fields";
import { complete, creationBody, minimal, pipesProgram } from "../kit/pipes";
import { type Simulator, listReads, newSimulator, takeWrites } from "../kit/simulator";
import { newStack } from "../kit/stack";

const credentials: Record<SourceKind, string> = {
  kafka: "source.kafka.credentials",
  objectStorage: "source.objectStorage.accessKey",
  kinesis: "source.kinesis.accessKey",
  postgres: "source.postgres.credentials",
};

const withoutCredentials = (kind: SourceKind): JsonObject =>
  withValue(complete[kind], credentials[kind], undefined);

/** Creates a pipe outside Pulumi, and returns its ID. */
function seed(simulator: Simulator, name: string, args: JsonObject): string {
  const [pipe] = simulator.control.seedPipes([creationBody(name, args)]);
  return pipe?.id ?? "";
}

/** A stack whose program adopts a pipe under the logical name "orders". */
function adopting(args: JsonObject, adopt: string, simulator: Simulator) {
  const program = pipesProgram({ orders: { ...args, adopt } });
  return newStack({ simulator, program });
}

test("adopts equal pipes of each kind with one list and no write, as the preview says", async () => {
  const simulator = await newSimulator({ nulls: true });
  const pipes = KINDS.map((kind) => ({ kind, id: seed(simulator, kind, complete[kind]) }));
  const programs = pipes.map(({ kind, id }) =>
    pipesProgram({ [kind]: { ...withoutCredentials(kind), adopt: id } }),
  );
  const stack = await newStack({ simulator, program: programs.join("") });

  const { output } = await stack.preview();
  for (const { kind, id } of pipes) {
    const line = `pipe "${kind}" adopts the existing pipe ${id} as it is; the provider sends nothing.`;
    expect(output).toContain(line);
  }
  expect(listReads(simulator)).toHaveLength(1);
  expect(simulator.control.requests()).toHaveLength(1);

  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  const state = await stack.export();
  for (const { kind, id } of pipes) expect(state.named(kind).id).toBe(id);
  await expectNoChanges(stack);
});

test("adopts a pipe that differs with one PATCH, and the preview shows each change", async () => {
  const simulator = await newSimulator({ nulls: true });
  const theirs = withValues(complete.kafka, {
    "source.kafka.iamRole": "theirs",
    "settings.dbmsMaxThreads": 1,
  });
  const id = seed(simulator, "theirs", theirs);
  // The PATCH would send validateSamples along.
  const declared = withValue(withoutCredentials("kafka"), "source.validateSamples", undefined);
  const stack = await adopting(declared, id, simulator);

  const { output } = await stack.preview();
  expect(output).toContain(`pipe "orders" adopts the existing pipe "theirs" (${id}) and changes:`);
  expect(output).toContain('name: "theirs" => "orders"');
  expect(output).toContain('source.kafka.iamRole: "theirs" => "role-of-kafka"');
  expect(output).toContain("settings.dbmsMaxThreads: 1 => 6");
  const { output: diff } = await stack.preview({ diff: true });
  expect(diff).toContain('and changes: name: "theirs" => "orders"; source.kafka.iamRole: "theirs" => ');
  expect(takeWrites(simulator)).toEqual([]);

  await stack.up();
  const body = {
    name: "orders",
    source: { kafka: { iamRole: "role-of-kafka" } },
    settings: { dbms_max_threads: 6 },
  };
  expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path: `/pipes/${id}`, body }]);
  expect((await stack.export()).named("orders").id).toBe(id);
  await expectNoChanges(stack);
});

test("keeps an adopted pipe when the program no longer declares adopt", async () => {
  const simulator = await newSimulator();
  const id = seed(simulator, "orders", minimal.kafka);
  const stack = await adopting(minimal.kafka, id, simulator);
  await stack.up();

  await stack.write(pipesProgram({ orders: minimal.kafka }));
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).named("orders").id).toBe(id);
  await expectNoChanges(stack);
});
