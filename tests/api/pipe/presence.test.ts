import { pipeDefinition } from "../../../provider/src/resources/pipe/definition";
import type { Fault } from "../../../simulator/src/index";
import { creationBody, minimal } from "../../../testkit/pipes";
import { takeBodies } from "../../../testkit/simulator";
import { answer, counts, failureOf } from "../../../testkit/connected";
import { deployedOnline, online, partOf, refreshed, settled, up } from "../../../testkit/online";
import type { Deployed, Online } from "../../../testkit/online";

const orders = { name: "orders", ...minimal.kafka };
const postgres = { name: "orders", ...minimal.postgres };
const LOOKS = [1_000, 2_000, 4_000];
const AFTER_A_WRITE = [...LOOKS, 8_000, 15_000];

/** A pipe that is deployed for so long that each list shows it. */
async function existing(args: object = orders) {
  const deployed = await deployedOnline(pipeDefinition, args);
  deployed.control.advance(120);
  return deployed;
}

const lists = (result: unknown, times = 1): Fault => ({ operationId: "listPipes", ...answer(result), times });
const noPipes = (times: number): Fault => lists([], times);
const noSettings = (kind: "status" | "html", status: number): Fault => ({
  operationId: "getPipeSettings",
  ...{ kind, status, times: 9 },
});

describe("a refresh whose list does not have a pipe", () => {
  test("looks again, and keeps the pipe when only this list lacks it", async () => {
    const { run, control, before } = await existing();
    control.fault(noPipes(1));
    expect((await refreshed(run, before))?.outputs).toEqual(settled(before.outputs));
    expect(run.sleeps).toEqual(LOOKS.slice(0, 1));
    expect(run.lines).toEqual([
      `pipe "orders" (${before.id}) is not in the list. The provider reads the list again before it treats the pipe as deleted.`,
    ]);
  });

  const asked = { listPipes: 4, getPipeSettings: 1 };

  test.each<[what: string, args: object, faults: Fault[], requests: object]>([
    ["its settings do not exist either", orders, [], asked],
    ["its settings may not be read", orders, [noSettings("status", 403)], asked],
    ["it is of postgres, which has no settings", postgres, [], { listPipes: 4 }],
  ])("removes it after four lists when %s", async (_, args, faults, requests) => {
    const { run, control, before } = await existing(args);
    control.deletePipe(before.id);
    for (const fault of faults) control.fault(fault);
    expect(await refreshed(run, before)).toBeUndefined();
    expect([run.sleeps, counts(run.simulator)]).toEqual([LOOKS, requests]);
  });

  test("keeps a pipe whose settings can be read, and says so", async () => {
    const { run, control, before } = await existing();
    control.fault(noPipes(9));
    expect((await refreshed(run, before))?.outputs).toEqual(settled(before.outputs));
    expect(run.lines.at(-1)).toBe(
      `warning: pipe "orders" (${before.id}) is not in the list, but the API returns its settings: the list is incomplete. The pipe ` +
        "stays in the stack, unchanged.",
    );
  });

  test.each([
    ["fails", noSettings("status", 500)],
    ["is a gateway's page", noSettings("html", 404)],
  ])("fails and keeps the pipe when the answer to getPipeSettings %s", async (_, fault) => {
    const { run, control, before } = await existing({ ...orders, deletionPolicy: "delete" });
    control.fault(noPipes(9));
    control.fault(fault);
    await expect(refreshed(run, before)).rejects.toThrow("settings");
    control.fault({ operationId: "deletePipe", kind: "status", status: 404 });
    expect((await failureOf(run.lifecycle.delete(before.id, before.outputs))).code).toBe("not-found");
  });
});

describe("a list that may be behind or incomplete", () => {
  test.each([
    ["a create", 0],
    ["an update 70 s after the create", 70],
  ])("keeps a pipe that it lacks for 30 s after %s", async (_, seconds) => {
    const { run, control, before } = await deployedOnline(pipeDefinition, postgres);
    control.advance(seconds);
    const pipe = seconds === 0 ? before : await up(run, { ...postgres, name: "renamed" }, before);
    control.fault(noPipes(5));
    expect(await refreshed(run, pipe)).toBeDefined();
    expect(run.sleeps).toEqual(AFTER_A_WRITE);
  });

  test("loses a pipe that it lacks for a minute after the create, also if a deletion is answered with 404", async () => {
    const args = { ...postgres, deletionPolicy: "delete" };
    const { run, control, before } = await deployedOnline(pipeDefinition, args);
    control.deletePipe(before.id);
    await run.lifecycle.delete(before.id, before.outputs);
    expect([run.sleeps.splice(0), counts(run.simulator)]).toEqual([
      [0, ...AFTER_A_WRITE, 30_000],
      { deletePipe: 1, listPipes: 7 },
    ]);
    expect(await refreshed(run, before)).toBeUndefined();
    expect(run.sleeps).toEqual(LOOKS);
  });

  async function stackOf(size: number): Promise<{ run: Online; pipes: Deployed[] }> {
    const run = await online(pipeDefinition);
    const pipes: Deployed[] = [];
    for (let index = 0; index < size; index++)
      pipes.push(await up(run, { ...minimal.postgres, name: `orders ${index}` }));
    run.control.advance(120);
    run.nextRun();
    return { run, pipes };
  }
  const areKept = (run: Online, pipes: readonly Deployed[]) =>
    Promise.all(pipes.map(async (pipe) => (await refreshed(run, pipe)) !== undefined));

  test.each([
    [8, 5, true],
    [4, 2, false],
    [3, 3, false],
  ])("that lacks %i pipes of a stack, %i of them deleted: doubted: %s", async (size, deleted, doubted) => {
    const { run, pipes } = await stackOf(size);
    for (const { id } of pipes.slice(0, deleted)) run.control.deletePipe(id);
    expect(await areKept(run, pipes)).toEqual(pipes.map((_, index) => index >= deleted));
    const warning =
      /^warning: the list of service \S+ lacks 5 of 8 pipes of this stack\. It may be incomplete, so the provider reads it for up to 60 s before it treats them as deleted\.$/;
    expect(run.lines.filter((line) => /^warning(?!.*(?:loaded twice|no credentials))/.test(line))).toEqual(
      doubted ? [expect.stringMatching(warning)] : [],
    );
    expect(run.sleeps.includes(30_000)).toBe(doubted);
  });

  test("keeps the pipes of a stack that most of its reads lack for half a minute", async () => {
    const { run, pipes } = await stackOf(10);
    run.control.fault(noPipes(5));
    expect(await areKept(run, pipes)).toEqual(pipes.map(() => true));
  });
});

test("a read by its id warns of no state of a pipe that another program may manage", async () => {
  const { run, control, before } = await existing();
  control.editPipe(before.id, { state: "Failed" });
  expect(await run.lifecycle.read(before.id, {})).toMatchObject({ outputs: { state: "Failed" } });
  expect(run.lines).toEqual([]);
});

const TWICE = (double: string): string =>
  `reads the same source into the same table as pipe "orders" (${double}): the data is loaded twice. If neither this stack nor ` +
  "another client manages that one, delete it in the service's console.";
const FAILED = (): string =>
  "has the state Failed: it may load nothing. Check in the service's console why; the provider cannot start a pipe.";

test.each([
  ["a duplicate pipe", "Running", TWICE],
  ["a pipe that has failed, which is beside none,", "Failed", FAILED],
])("a refresh names %s without an extra request", async (_, state, says) => {
  const { run, control, before } = await existing();
  const [double] = control.seedPipes([creationBody("orders", minimal.kafka)]);
  control.editPipe(before.id, { state });
  expect((await refreshed(run, before))?.outputs).toEqual({ ...settled(before.outputs), state });
  expect(counts(run.simulator)).toEqual({ listPipes: 1 });
  expect(run.lines).toEqual([`warning: pipe "orders" (${before.id}) ${says(double?.id ?? "")}`]);
});

describe("a pipe whose deletion is answered with 404", () => {
  const deleting = { ...orders, deletionPolicy: "delete" };
  const refusal: Fault = { operationId: "deletePipe", kind: "status", status: 404 };
  const gateway = { kind: "html", status: 404, times: 9 } as const;
  const page = (operationId: Fault["operationId"]): Fault => ({ operationId, ...gateway });

  test("counts as deleted after four lists, though the list still has it for some seconds", async () => {
    const { run, control, before } = await existing(deleting);
    const [pipe] = control.state().pipes;
    control.deletePipe(before.id);
    control.fault(lists([pipe], 2));
    await run.lifecycle.delete(before.id, before.outputs);
    expect([run.lines, run.sleeps, counts(run.simulator)]).toEqual([
      [],
      [0, ...LOOKS],
      { deletePipe: 1, listPipes: 4, getPipeSettings: 1 },
    ]);
  });

  test.each<[what: string, isPage: boolean, ...faults: Fault[]]>([
    ["the lists have it", false, refusal],
    ["one list is incomplete", false, refusal, noPipes(1)],
    ["three lists are incomplete", false, refusal, noPipes(3)],
    ["the last list is incomplete", false, refusal, { ...noPipes(1), after: 3 }, noSettings("status", 404)],
    ["no list has it but its settings can be read", false, refusal, noPipes(4)],
    ["the answer is a gateway's page", true, page("deletePipe")],
    ["a gateway answers all requests with a page", true, page("*")],
    ["a gateway answers the lists with a page", true, refusal, page("listPipes")],
  ])("does not count as deleted where %s", async (_, isPage, ...faults) => {
    const { run, control, before } = await existing(deleting);
    for (const fault of faults) control.fault(fault);
    const { code, answer, message } = await failureOf(run.lifecycle.delete(before.id, before.outputs));
    expect([code, answer.isPage]).toEqual(["not-found", isPage]);
    expect(message.includes("cannot delete pipes. Declare it unchanged with ")).toBe(!isPage);
  });

  test("counts as deleted with its service", async () => {
    const { run, control, before } = await existing(deleting);
    control.fault({ operationId: "*", kind: "status", status: 404, times: 9 });
    await run.lifecycle.delete(before.id, before.outputs);
    expect(run.lines).toEqual([
      expect.stringMatching(
        /^service \S+ no longer exists \(404\), so pipe "orders" .* no longer exists either\.$/,
      ),
    ]);
  });
});

test("an answer that leaves out whole parts of a pipe does not turn an update into a replacement", async () => {
  const { run, control, before } = await existing();
  const faulty = answer({ id: before.id, name: "renamed", source: null });
  control.fault({ operationId: "updatePipe", ...faulty, processed: true });
  const after = await up(run, { ...orders, name: "renamed" }, before);
  expect(await up(run, { ...orders, name: "renamed" }, after)).toBe(after);
});

test("the state keeps a service's spelling through later updates, also with sparse answers", async () => {
  const args = (name: string) => ({
    ...minimal.kafka,
    name,
    destination: { table: "Few", columns: [{ name: "Note", type: "String" }] },
    fieldMappings: [{ sourceField: "$.note", destinationField: "Note" }],
  });
  const profiles = ["sparse", "lower-case"] as const;
  const { run, before } = await deployedOnline(pipeDefinition, args("a"), { profiles: [...profiles] });
  // Nothing reads the pipe between the update that meets the spelling and the next one.
  let pipe = await up(run, args("a"), await refreshed(run, before));
  takeBodies(run.simulator);
  for (const name of ["b", "c"]) {
    for (const _ of ["the change", "the same"])
      pipe = (await refreshed(run, await up(run, args(name), pipe))) ?? pipe;
    expect(takeBodies(run.simulator)).toEqual([{ name }]);
  }
});

test("a create that made two pipes leaves one of them in the stack, and names the other", async () => {
  const run = await online(pipeDefinition, {}, 2);
  run.control.fault({ operationId: "createPipe", kind: "reset-after" });
  // The reads of the list before the create and after its first request.
  run.control.fault(noPipes(7));
  const { id, outputs, message } = await partOf(up(run, orders));
  const [lost = "", made] = run.control.state().pipes.map((pipe) => pipe.id);
  expect(id).toBe(made);
  expect(message).toContain(`The service now also has ${lost}, with the same name.`);
  expect(message).toContain("The pipe stays in the stack. Delete the others ");
  expect(outputs).toMatchObject({ ...orders, observed: {} });
});
