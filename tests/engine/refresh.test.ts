import { expectNoChanges, pipeNames, writesByPipe } from "./expectations";
import { type JsonObject, mapValues, withValue } from "../kit/json";
import { type SourceKind, postgresUser } from "../kit/pipe-fields";
import { complete, creationBody, minimal, pipesProgram, withOwnDatabases } from "../kit/pipes";
import { answer, listReads, pipeNamed, type Simulator, takeWrites } from "../kit/simulator";
import { deployStack, type TestStack } from "../kit/stack";

/** An edit by another client, the words of the diff in their order, and the PATCH that repairs it. */
const drifts: Record<string, { kind: SourceKind; edit: object; shown: string[]; body: JsonObject }> = {
  setting: {
    kind: "kafka",
    edit: { settings: { streaming_max_insert_wait_ms: 9 } },
    shown: ["settings", "streamingMaxInsertWaitMs", "9 => 4000"],
    body: { settings: { streaming_max_insert_wait_ms: 4000 } },
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
    body: { source: { postgres: { port: 5433, credentials: postgresUser } } },
  },
};

const inOrder = (words: string[]): RegExp =>
  new RegExp(words.map((word) => word.replace(/[[\]]/g, "\\$&")).join("[^]*"));

/** The parts of a diff that are about one resource: a preview that refreshes has two. */
function partOf(output: string, name: string): string {
  const parts = output.split(/\n(?= +[~+-]* ?pulumi)/);
  return parts.filter((part) => part.includes(`::${name}]`)).join("\n");
}

const declared: Record<string, JsonObject> = withOwnDatabases({
  ...mapValues(drifts, ({ kind }) => withValue(complete[kind], "source.validateSamples", undefined)),
  // Another client deletes these two; the program then changes the second.
  deleted: complete.kafka,
  "deleted-and-changed": complete.kafka,
  "edited-elsewhere": minimal.kafka,
  ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`untouched-${index}`, minimal.kafka])),
});

/** A change of fields that the program does not declare. */
const undeclared = {
  settings: { dbms_max_threads: 99 },
  scaling: { replicas: 7 },
  state: "Paused",
  future: { field: 1 },
};

/** A refresh that cannot reach the API fails and keeps the state. */
async function expectFailedRefresh(
  { control }: Simulator,
  stack: TestStack,
  names: ReturnType<typeof pipeNames>,
) {
  control.fault({ operationId: "listPipes", kind: "status", status: 500, times: 5 });
  expect((await stack.refresh({ expectFailure: true })).output).toMatch(/returned 500\b/);
  control.clearFaults();
  const kept = await stack.export();
  for (const [id, name] of names) expect(kept.named(name).id).toBe(id);
}

async function expectRefreshWithoutChanges(simulator: Simulator, stack: TestStack): Promise<void> {
  const { control } = simulator;
  control.clearRequests();
  await stack.refresh({ flags: ["--expect-no-changes"] });
  expect(listReads(simulator)).toHaveLength(1);
  expect(control.requests()).toHaveLength(1);
}

/** Changes pipes as another client; what previews and a refresh say of that, without a write. */
async function runsAfterDrift(simulator: Simulator, stack: TestStack) {
  const { control } = simulator;
  for (const [name, { edit }] of Object.entries({ ...drifts, "edited-elsewhere": { edit: undeclared } }))
    control.editPipe(pipeNamed(simulator, name).id, edit);
  // Two lists lack a pipe, as they may so soon after the create.
  const late = control.state().pipes.filter(({ name }) => name !== "port");
  control.fault({ operationId: "listPipes", ...answer(late), times: 2 });
  const refreshing = await stack.preview({ diff: true, flags: ["--refresh"] });
  // An hour later, a pipe that the list lacks is gone.
  control.advance(3600);
  for (const name of ["deleted", "deleted-and-changed"]) control.deletePipe(pipeNamed(simulator, name).id);
  const refresh = await stack.refresh({ flags: ["--diff"] });
  const preview = await stack.preview({ diff: true });
  expect(takeWrites(simulator)).toEqual([]);
  return { refreshing: refreshing.output, refresh: refresh.output, preview: preview.output };
}

test("a refresh sends one list and shows drift with its path, and the next `up` repairs it", async () => {
  const { simulator, stack } = await deployStack(pipesProgram(declared), { config: { maxRetries: "0" } });
  const names = pipeNames(simulator);
  await expectFailedRefresh(simulator, stack, names);
  await expectRefreshWithoutChanges(simulator, stack);

  const { refreshing, refresh, preview } = await runsAfterDrift(simulator, stack);
  expect(refresh).toMatch(/ \(delete(\[retain\])?\)\n +\[id=.*\n +\[urn=.*::deleted\]/);
  expect(preview).toContain("2 to create");
  for (const [name, { shown }] of Object.entries(drifts)) {
    expect(partOf(refreshing, name)).toMatch(inOrder(shown));
    expect(partOf(preview, name)).not.toContain("observed");
    expect(partOf(refresh, name)).toMatch(inOrder(shown.slice(0, -1)));
    expect(partOf(preview, name)).toMatch(inOrder(shown));
  }
  for (const output of [refreshing, refresh, preview]) expect(output).not.toMatch(/edited-key|account-key/);
  // A change of undeclared fields is no drift, and `observed` has it.
  expect(partOf(preview, "edited-elsewhere")).toBe("");
  const { outputs } = (await stack.export()).named("edited-elsewhere");
  expect(outputs).toMatchObject({
    state: "Paused",
    observed: { settings: { dbmsMaxThreads: 99 }, scaling: { replicas: 7 } },
  });

  const changed = withValue(declared["deleted-and-changed"] ?? {}, "settings.dbmsMaxThreads", 12);
  await stack.write(pipesProgram({ ...declared, "deleted-and-changed": changed }));
  await stack.up();
  expect(writesByPipe(simulator, names)).toEqual({
    ...mapValues(drifts, ({ body }) => [["PATCH", body]]),
    deleted: [["POST", creationBody("deleted", declared["deleted"] ?? {})]],
    "deleted-and-changed": [["POST", creationBody("deleted-and-changed", changed)]],
  });
  await expectNoChanges(stack);
});
