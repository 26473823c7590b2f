import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import { creationBody, minimal } from "../../../testkit/pipes";
import { takeWrites } from "../../../testkit/simulator";
import { counts, failureOf, answer } from "../../../testkit/connected";
import { PartialFailure } from "../../../provider/src/core/lifecycle";
import { rendered } from "../../../testkit/rendered";
import { online, settled, up, type Online, type Deployed } from "../../../testkit/online";

const orders = { name: "orders", ...minimal.kafka };
const LOOKS = [1_000, 2_000, 4_000];

async function deployed(run: Online, args: object = orders): Promise<Deployed> {
  const before = await up(run, args);
  // By then the list has had the time to show the pipe.
  run.simulator.control.advance(120);
  run.simulator.control.clearRequests();
  return before;
}

describe("a refresh whose list does not have a pipe", () => {
  test.each<[what: string, list: unknown]>([
    ["is empty", []],
    ["is null", null],
  ])("looks again, and keeps the pipe when it was only this list that %s", async (_, list) => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run);
    run.simulator.control.fault({ operationId: "listPipes", ...answer(list) });
    const read = await run.lifecycle.read(id, outputs);
    expect(read?.outputs).toEqual(settled(outputs));
    expect(run.sleeps).toEqual(LOOKS.slice(0, 1));
    expect(run.lines).toEqual([
      `pipe "orders" (${id}) is not in the list. The provider reads the list again before it treats the pipe as deleted.`,
    ]);
  });

  test("removes it when the lists and its settings do not have it", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run);
    run.simulator.control.deletePipe(id);
    expect(await run.lifecycle.read(id, outputs)).toBeUndefined();
    expect([run.sleeps, counts(run.simulator)]).toEqual([LOOKS, { listPipes: 4, getPipeSettings: 1 }]);
  });

  test("keeps a pipe whose settings can be read, and says so", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run);
    run.simulator.control.fault({ operationId: "listPipes", ...answer([]), times: 9 });
    const read = await run.lifecycle.read(id, outputs);
    expect(read?.outputs).toEqual(settled(outputs));
    expect(run.lines.at(-1)).toBe(
      `warning: pipe "orders" (${id}) is not in the list, but the API returns its settings: the list is incomplete. The pipe ` +
        "stays in the stack, unchanged.",
    );
  });

  test("decides by the lists alone when getPipeSettings is refused", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run);
    run.simulator.control.deletePipe(id);
    run.simulator.control.fault({ operationId: "getPipeSettings", kind: "status", status: 403 });
    expect(await run.lifecycle.read(id, outputs)).toBeUndefined();
  });

  test.each([
    ["fails", { kind: "status", status: 500, times: 9 }],
    ["is a gateway's page", { kind: "html", status: 404, times: 9 }],
  ] as const)("fails and keeps the pipe when the answer to getPipeSettings %s", async (_, fault) => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { ...orders, deletionPolicy: "delete" });
    run.simulator.control.fault({ operationId: "listPipes", ...answer([]), times: 9 });
    run.simulator.control.fault({ operationId: "getPipeSettings", ...fault });
    await expect(run.lifecycle.read(id, outputs)).rejects.toThrow("settings");
    run.simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    expect((await failureOf(run.lifecycle.delete(id, outputs))).code).toBe("not-found");
  });

  test("does not send getPipeSettings for postgres, which has no settings", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, { name: "orders", ...minimal.postgres });
    run.simulator.control.deletePipe(id);
    expect(await run.lifecycle.read(id, outputs)).toBeUndefined();
    expect(counts(run.simulator)).toEqual({ listPipes: 4 });
  });
});

describe("a list that may be behind or incomplete", () => {
  const postgres = { name: "orders", ...minimal.postgres };

  test.each([
    ["a create", 0, 5],
    ["an update 70 s after the create", 70, 5],
  ])("keeps a pipe that it lacks for 30 s after %s", async (_, seconds, empty) => {
    const run = await online(pipeDefinition);
    let pipe = await up(run, postgres);
    if (seconds > 0) {
      run.simulator.control.advance(seconds);
      pipe = await up(run, { ...postgres, name: "renamed" }, pipe);
    }
    run.simulator.control.fault({ operationId: "listPipes", ...answer([]), times: empty });
    const read = await run.lifecycle.read(pipe.id, pipe.outputs);
    expect(read).toBeDefined();
    expect(run.sleeps).toEqual([...LOOKS, 8_000, 15_000]);
  });

  test("loses a pipe that it lacks for a minute after the create, also if a deletion is answered with 404", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await up(run, { ...postgres, deletionPolicy: "delete" });
    run.simulator.control.deletePipe(id);
    run.simulator.control.clearRequests();
    await run.lifecycle.delete(id, outputs);
    expect([run.sleeps, counts(run.simulator)]).toEqual([
      [0, ...LOOKS, 8_000, 15_000, 30_000],
      { deletePipe: 1, listPipes: 7 },
    ]);
    run.sleeps.length = 0;
    expect(await run.lifecycle.read(id, outputs)).toBeUndefined();
    expect(run.sleeps).toEqual(LOOKS);
  });

  const stack = async (run: Online, size: number): Promise<Deployed[]> => {
    const pipes: Deployed[] = [];
    for (let index = 0; index < size; index++)
      pipes.push(await up(run, { ...minimal.postgres, name: `orders ${index}` }));
    run.simulator.control.advance(120);
    run.nextRun();
    return pipes;
  };
  const read = (run: Online, pipes: readonly Deployed[]) =>
    Promise.all(pipes.map(async ({ id, outputs }) => (await run.lifecycle.read(id, outputs)) !== undefined));

  test.each([
    [10, 6, true],
    [10, 5, false],
    [9, 9, false],
  ])(
    "that lacks pipes of a stack: %i, of which %i are deleted: is doubted: %s",
    async (size, deleted, doubted) => {
      const run = await online(pipeDefinition);
      const pipes = await stack(run, size);
      for (const { id } of pipes.slice(0, deleted)) run.simulator.control.deletePipe(id);
      const ids = await read(run, pipes);
      expect(ids).toEqual(pipes.map((_, index) => index >= deleted));
      const warnings = run.lines.filter((line) => line.startsWith("warning"));
      expect(warnings).toEqual(
        doubted
          ? [expect.stringMatching(/^warning: the list of service \S+ lacks 6 of 10 pipes of this stack\. /)]
          : [],
      );
      expect(run.sleeps.includes(30_000)).toBe(doubted);
    },
  );

  test("keeps the pipes of a stack that most of its reads lack for half a minute", async () => {
    const run = await online(pipeDefinition);
    const pipes = await stack(run, 10);
    run.simulator.control.fault({ operationId: "listPipes", ...answer([]), times: 5 });
    expect(await read(run, pipes)).toEqual(pipes.map(() => true));
  });
});

test("a refresh names a duplicate pipe without an extra request", async () => {
  const run = await online(pipeDefinition);
  const { id, outputs } = await deployed(run);
  const [double] = run.simulator.control.seedPipes([creationBody("orders", minimal.kafka)]);
  const read = await run.lifecycle.read(id, outputs);
  expect([read?.outputs, counts(run.simulator)]).toEqual([settled(outputs), { listPipes: 1 }]);
  expect(run.lines).toEqual([
    `warning: pipe "orders" (${id}) may be in the service twice: ${double?.id} has the same name, source and table and was created ` +
      "at about the same time. If both run, the data is loaded twice. Delete it in the service's console, unless this stack or " +
      "another client manages it.",
  ]);
});

describe("a pipe whose deletion is answered with 404", () => {
  const deleting = { ...orders, deletionPolicy: "delete" };
  const lists = (run: Online, list: unknown, times: number): void => {
    run.simulator.control.fault({ operationId: "listPipes", ...answer(list), times });
  };

  test("counts as deleted after four lists, though the list still has it for some seconds", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, deleting);
    const [pipe] = run.simulator.control.state().pipes;
    run.simulator.control.deletePipe(id);
    lists(run, [pipe], 2);
    await run.lifecycle.delete(id, outputs);
    expect([run.sleeps, counts(run.simulator)]).toEqual([
      [0, ...LOOKS],
      { deletePipe: 1, listPipes: 4, getPipeSettings: 1 },
    ]);
  });

  test.each<[what: string, empty: number]>([
    ["one list is incomplete", 1],
    ["three lists are incomplete", 3],
    ["no list has it but its settings can be read", 4],
  ])("does not count as deleted where %s", async (_, empty) => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, deleting);
    run.simulator.control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    lists(run, [], empty);
    expect((await failureOf(run.lifecycle.delete(id, outputs))).code).toBe("not-found");
  });

  test("counts as deleted with its service", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run, deleting);
    run.simulator.control.fault({ operationId: "*", kind: "status", status: 404, times: 9 });
    await run.lifecycle.delete(id, outputs);
    expect(run.lines).toEqual([
      expect.stringMatching(
        /^service \S+ no longer exists \(404\), so pipe "orders" .* no longer exists either\.$/,
      ),
    ]);
  });
});

describe("an answer that leaves out whole parts of a pipe", () => {
  test("removes no value on a refresh", async () => {
    const run = await online(pipeDefinition);
    const { id, outputs } = await deployed(run);
    run.simulator.control.fault({ operationId: "listPipes", ...answer([{ id, state: "Paused" }]) });
    const read = await run.lifecycle.read(id, outputs);
    expect(read?.outputs).toMatchObject({ ...orders, state: "Paused" });
    expect(run.lifecycle.diff(id, read?.outputs ?? {}, read?.inputs ?? {}).changed).toBe(false);
  });

  test("does not turn an update into a replacement", async () => {
    const run = await online(pipeDefinition);
    const before = await deployed(run);
    const faulty = answer({ id: before.id, name: "renamed", source: null });
    run.simulator.control.fault({ operationId: "updatePipe", ...faulty, processed: true });
    const after = await up(run, { ...orders, name: "renamed" }, before);
    const { inputs } = run.lifecycle.check(after.outputs, { ...orders, name: "renamed" });
    expect(run.lifecycle.diff(before.id, after.outputs, inputs)).toMatchObject({ changed: false });
  });
});

test("the state keeps a service's spelling through later updates, also with sparse answers", async () => {
  const run = await online(pipeDefinition, { profiles: ["sparse", "lower-case"] });
  const args = (name: string) => ({
    ...minimal.kafka,
    name,
    destination: { table: "Few", columns: [{ name: "Note", type: "String" }] },
    fieldMappings: [{ sourceField: "$.note", destinationField: "Note" }],
  });
  const refreshed = async ({ id, outputs }: Deployed): Promise<Deployed> => ({
    id,
    outputs: (await run.lifecycle.read(id, outputs))?.outputs ?? {},
  });
  let pipe = await refreshed(await up(run, args("a")));
  // Nothing reads the pipe between the update that meets the spelling and the next one.
  pipe = await up(run, args("a"), pipe);
  takeWrites(run.simulator);
  for (const name of ["b", "c"]) {
    pipe = await refreshed(await up(run, args(name), pipe));
    pipe = await refreshed(await up(run, args(name), pipe));
    expect(takeWrites(run.simulator).map(({ body }) => body)).toEqual([{ name }]);
  }
});

const NO_PIPES = { status: 200, requestId: "r", result: [] };
/** The reads of the list before the create and after its first request. */
const LISTS = 7;

test("a create that made two pipes leaves one of them in the stack, and names the other", async () => {
  const run = await online(pipeDefinition, {}, 2);
  const { control } = run.simulator;
  control.fault({ operationId: "createPipe", kind: "reset-after" });
  control.fault({ operationId: "listPipes", kind: "status", status: 200, body: NO_PIPES, times: LISTS });
  const work = rendered(up(run, { name: "orders", ...minimal.kafka }), "Pipe");
  const failure = await work.catch((error: unknown) => error);
  const [lost = "", made = ""] = control.state().pipes.map(({ id }) => id);
  if (!(failure instanceof PartialFailure)) throw new Error(String(failure));
  expect(failure.message).toContain(`The service now also has ${lost}, with the same name.`);
  expect(failure.message).toMatch(
    new RegExp(`^create pipe "orders" \\(${made}\\): the provider sent the request again`),
  );
  expect(failure.message).toContain(
    "All of them load the same data. The pipe stays in the stack. Delete the others ",
  );
  expect(failure.id).toBe(made);
  expect(failure.properties).toMatchObject({ name: "orders", ...minimal.kafka, observed: {} });
});
