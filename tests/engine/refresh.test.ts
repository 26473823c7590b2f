import { valueAt } from "../../testkit/deployment";
import { complete, minimal, pipesProgram, withValue, type Json, type JsonObject } from "../../testkit/pipes";
import { listReads, newSimulator, pipeNamed, takeWrites, type Simulator } from "../../testkit/simulator";
import { deployed, newStack } from "../../testkit/stack";

test("a refresh of twenty pipes sends one list request and nothing else", async () => {
  const pipes = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`pipe-${index}`, minimal.kafka]),
  );
  const { simulator, stack } = await deployed(pipesProgram(pipes));

  simulator.control.clearRequests();
  await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(listReads(simulator)).toHaveLength(1);
  expect(simulator.control.requests()).toHaveLength(1);

  simulator.control.clearRequests();
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  expect(simulator.control.requests()).toHaveLength(1);

  simulator.control.clearRequests();
  await stack.preview({ expectNoChanges: true });
  expect(simulator.control.requests()).toEqual([]);
});

/** An edit by another client, the lines of the diff, and the PATCH that repairs it. */
interface Drift {
  kind: keyof typeof complete;
  edit: object;
  /** Names, from the outside in, in the order in which a diff shows them. */
  shown: string[];
  body: JsonObject;
}

const drifts: Record<string, Drift> = {
  name: {
    kind: "kafka",
    edit: { name: "edited" },
    shown: ["name", '"edited" => "name"'],
    body: { name: "name" },
  },
  setting: {
    kind: "kafka",
    edit: { settings: { streaming_max_insert_wait_ms: 9 } },
    shown: ["settings", "streamingMaxInsertWaitMs", "9 => 4000"],
    body: { settings: { streaming_max_insert_wait_ms: 4000 } },
  },
  role: {
    kind: "kinesis",
    edit: { source: { kinesis: { iamRole: "edited" } } },
    shown: ["source", "kinesis", "iamRole", '"edited" => "role-of-kinesis"'],
    body: { source: { kinesis: { iamRole: "role-of-kinesis" } } },
  },
  "removed role": {
    kind: "kafka",
    edit: { source: { kafka: { iamRole: null } } },
    shown: ["source", "kafka", "iamRole", '"role-of-kafka"'],
    body: { source: { kafka: { iamRole: "role-of-kafka" } } },
  },
  "connection string": {
    kind: "objectStorage",
    edit: { source: { objectStorage: { connectionString: "AccountKey=edited-key" } } },
    shown: ["source", "objectStorage", "connectionString", "[secret]"],
    body: {
      source: { objectStorage: { connectionString: "AccountName=demo;AccountKey=storage-account-key" } },
    },
  },
  port: {
    kind: "postgres",
    edit: { source: { postgres: { port: 1 } } },
    shown: ["source", "postgres", "port", "1 => 5433"],
    // The PATCH of a changed connection has the credentials too.
    body: {
      source: {
        postgres: { port: 5433, credentials: { username: "postgres-user", password: "postgres-password" } },
      },
    },
  },
};

/** Matches when the words come in this order. */
const inOrder = (words: string[]): RegExp =>
  new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*"));

/** The parts of a diff that are about one resource: a preview that refreshes has two. */
function partOf(output: string, name: string): string {
  const parts = output.split(/\n(?= +[~+-]* ?pulumi)/);
  return parts.filter((part) => part.includes(`::${name}]`)).join("\n");
}

const programOf = (entries: Record<string, Drift>): string =>
  pipesProgram(
    Object.fromEntries(
      Object.entries(entries).map(([name, { kind }]) => [
        name,
        withValue(complete[kind], "source.validateSamples", undefined),
      ]),
    ),
  );

test("a refresh shows drift with the field's path, and the next `up` repairs it with one PATCH", async () => {
  const { simulator, stack } = await deployed(programOf(drifts));
  const ids = new Map(Object.keys(drifts).map((name) => [name, pipeNamed(simulator, name).id]));
  for (const [name, { edit }] of Object.entries(drifts))
    simulator.control.editPipe(ids.get(name) ?? "", edit);
  takeWrites(simulator);

  const refreshing = await stack.preview({ diff: true, flags: ["--refresh"] });
  for (const [name, { shown }] of Object.entries(drifts))
    expect(partOf(refreshing.output, name)).toMatch(inOrder(shown));
  const refresh = await stack.refresh({ flags: ["--diff"] });
  for (const [name, { shown }] of Object.entries(drifts))
    expect(partOf(refresh.output, name)).toMatch(inOrder(shown.slice(0, -1)));
  const preview = await stack.preview({ diff: true });
  for (const [name, { shown }] of Object.entries(drifts))
    expect(partOf(preview.output, name)).toMatch(inOrder(shown));
  for (const { output } of [refreshing, refresh, preview])
    expect(output).not.toMatch(/edited-key|account-key/);
  expect(takeWrites(simulator)).toEqual([]);

  await stack.up();
  const bodies = new Map(takeWrites(simulator).map(({ method, path, body }) => [`${method} ${path}`, body]));
  const expected = Object.entries(drifts).map(
    ([name, { body }]) => [`PATCH /pipes/${ids.get(name) ?? ""}`, body] as const,
  );
  expect(bodies).toEqual(new Map<string, Json>(expected));
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("a change of undeclared fields is no drift, and `observed` has it", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: minimal.kafka }));
  const { id } = pipeNamed(simulator, "orders");
  const edit = {
    settings: { dbms_max_threads: 99 },
    scaling: { replicas: 7 },
    state: "Paused",
    future: { field: 1 },
  };
  simulator.control.editPipe(id, edit);

  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  const { outputs } = (await stack.export()).named("orders");
  expect(valueAt(outputs, "observed.settings.dbmsMaxThreads")).toBe(99);
  expect(valueAt(outputs, "observed.scaling.replicas")).toBe(7);
  expect(valueAt(outputs, "state")).toBe("Paused");
});

function deleteAsOtherClient(simulator: Simulator): void {
  simulator.control.deletePipe(pipeNamed(simulator, "orders").id);
  simulator.control.clearRequests();
}

test("creates a pipe again that another client deleted", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({
    simulator,
    program: pipesProgram({ orders: complete.kafka, other: minimal.kafka }),
  });
  await stack.up();
  deleteAsOtherClient(simulator);

  const refreshed = await stack.refresh();
  expect(refreshed.output).toMatch(/orders.*delet/);
  expect(takeWrites(simulator)).toEqual([]);
  const preview = await stack.preview();
  expect(preview.output).toContain("1 to create");
  await stack.up();
  expect(takeWrites(simulator).map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /pipes"]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("creates a pipe as declared that another client deleted and the program changed", async () => {
  const { simulator, stack } = await deployed(pipesProgram({ orders: complete.kafka }));
  deleteAsOtherClient(simulator);
  await stack.write(pipesProgram({ orders: withValue(complete.kafka, "settings.dbmsMaxThreads", 12) }));
  await stack.up({ flags: ["--refresh"] });
  expect(pipeNamed(simulator, "orders").settings?.dbms_max_threads).toBe(12);
  expect(takeWrites(simulator)).toHaveLength(1);
});

test("a refresh that cannot reach the API fails and keeps the state", async () => {
  const simulator = await newSimulator();
  const stack = await newStack({
    simulator,
    program: pipesProgram({ orders: minimal.kafka }),
    config: { maxRetries: "0" },
  });
  await stack.up();
  simulator.control.fault({ operationId: "listPipes", kind: "status", status: 500, times: 5 });
  const failed = await stack.refresh({ expectFailure: true });
  expect(failed.output).toContain("500");
  simulator.control.clearFaults();
  expect((await stack.export()).named("orders").id).toBe(pipeNamed(simulator, "orders").id);
  await stack.preview({ expectNoChanges: true });
});
