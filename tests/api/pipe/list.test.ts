import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { DEFAULT_ACCOUNT, type Fault } from "../../../simulator/src/index";
import { answer, requestCounts, listReads, type SimulatorOptions } from "../../kit/simulator";
import { CheckFailed, deployResource, newRun, stateAfterRefresh, outputsAfterRead, up } from "../../kit/run";
import type { DeployedResource } from "../../kit/lifecycle";
import { creationBody, minimal } from "../../kit/pipes";
import { withValue } from "../../kit/json";

const orders = { name: "orders", ...minimal.kafka };
const SECOND_READING = [1_000];
const MINUTE = [1_000, 2_000, 4_000, 8_000, 16_000, 29_000];

/** A pipe that is deployed for so long that each list shows it. */
async function existing(args: object = orders, options?: SimulatorOptions) {
  const deployed = await deployResource(pipeDefinition, args, options);
  deployed.control.advance(120);
  deployed.run.nextRun();
  return deployed;
}

/** One of several pipes of one name. */
const named = (index: number) => ({
  ...withValue(minimal.kafka, "source.kafka.topics", `topic-${index}`),
  __key: `Pipe::orders-${index}`,
  name: "orders",
});

/** Pipes that earlier runs deployed, and a new run. */
async function stackOf(size: number) {
  const run = await newRun(pipeDefinition);
  const pipes: DeployedResource[] = [];
  for (let index = 0; index < size; index++) pipes.push(await up(run, named(index)));
  run.control.advance(120);
  run.control.clearRequests();
  run.nextRun();
  return { run, pipes };
}

const lists = (result: unknown, times: Fault["times"] = 1): Fault => ({
  operationId: "listPipes",
  ...answer(result),
  times,
});
const noPipes = (times: number): Fault => lists([], times);

describe("the refreshes of a run", () => {
  test("send one list for all pipes, at the same time and one after the other", async () => {
    const { run, pipes } = await stackOf(20);
    const read = await Promise.all(pipes.map((pipe) => stateAfterRefresh(run, pipe)));
    expect(read.map((pipe) => pipe?.id)).toEqual(pipes.map(({ id }) => id));
    for (const pipe of pipes) await stateAfterRefresh(run, pipe);
    expect(requestCounts(run.simulator)).toEqual({ listPipes: 1 });
  });

  test("find a pipe whatever the case of its ID and of the IDs of its service", async () => {
    const { run, before } = await existing();
    const { organizationId, serviceId } = before.outputs as Record<string, string>;
    const upper = {
      ...before.outputs,
      organizationId: organizationId?.toUpperCase(),
      serviceId: serviceId?.toUpperCase(),
    };
    expect(await stateAfterRefresh(run, { id: before.id.toUpperCase(), outputs: upper })).toBeDefined();
    expect(await stateAfterRefresh(run, before)).toBeDefined();
    expect(requestCounts(run.simulator)).toEqual({ listPipes: 1 });
  });

  test("forget a list that failed", async () => {
    const { run, pipes } = await stackOf(3);
    run.control.fault({ operationId: "listPipes", kind: "status", status: 500 });
    const failed = await Promise.allSettled(pipes.map((pipe) => stateAfterRefresh(run, pipe)));
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(listReads(run.simulator)).toHaveLength(1);
    expect(await Promise.all(pipes.map((pipe) => stateAfterRefresh(run, pipe)))).toHaveLength(3);
    expect(listReads(run.simulator)).toHaveLength(2);
  });

  test("send one list for each service", async () => {
    const OTHER = "0a1b2c3d-0000-4000-8000-0000000000ac";
    const serviceIds = [...DEFAULT_ACCOUNT.serviceIds, OTHER];
    const accounts = [{ ...DEFAULT_ACCOUNT, serviceIds }];
    const run = await newRun(pipeDefinition, { accounts });
    const first = await up(run, orders);
    const second = await up(run, { ...orders, serviceId: OTHER });
    run.control.clearRequests();
    run.nextRun();
    for (const pipe of [first, second, first]) expect(await stateAfterRefresh(run, pipe)).toBeDefined();
    const services = listReads(run.simulator).map(({ path }) =>
      serviceIds.findIndex((id) => path.includes(id)),
    );
    expect(services).toEqual([0, 1]);
  });
});

describe("a refresh whose list does not have a pipe", () => {
  test("keeps the pipe when a second list has it", async () => {
    const { run, control, before } = await existing();
    control.fault(noPipes(1));
    expect((await stateAfterRefresh(run, before))?.outputs).toEqual(outputsAfterRead(before.outputs));
    expect(run.sleeps).toEqual(SECOND_READING);
    expect(run.lines).toEqual([]);
  });

  test("removes an old pipe after a second list, and sends no other request", async () => {
    const { run, control, before } = await existing();
    control.deletePipe(before.id);
    expect(await stateAfterRefresh(run, before)).toBeUndefined();
    expect(run.sleeps).toEqual(SECOND_READING);
    expect(requestCounts(run.simulator)).toEqual({ listPipes: 2 });
  });

  test.each([0, 480, -480])(
    "keeps a pipe that lists lack for 30 s after its create, with a server's clock %i s ahead",
    async (clockSkewSeconds) => {
      const { run, control, before } = await deployResource(pipeDefinition, orders, { clockSkewSeconds });
      run.nextRun();
      control.fault(noPipes(5));
      expect(await stateAfterRefresh(run, before)).toBeDefined();
      expect(run.sleeps).toEqual(MINUTE.slice(0, 5));
    },
  );
});

describe("a list that is no reading", () => {
  const FOREIGN = [{ id: "not-a-uuid", name: "foreign" }];
  const KEPT =
    " is not in the list, but a second list did not confirm that it was deleted. The pipe stays in the stack, unchanged.";

  test.each<[what: string, result: unknown]>([
    ["null", null],
    ["a list with a pipe without a UUID", FOREIGN],
  ])("because it is %s changes nothing in the state, also when every list is so", async (_, result) => {
    const { run, control, before } = await existing();
    control.deletePipe(before.id);
    control.fault(lists(result, "always"));
    expect((await stateAfterRefresh(run, before))?.outputs).toEqual(before.outputs);
    expect(run.lines.at(-1)).toBe(`warning: pipe "orders" (${before.id})${KEPT}`);
  });

  test("still shows the pipes that it has, and one warning of the run names those without a UUID", async () => {
    const { run, pipes } = await stackOf(3);
    run.control.fault(lists([...run.control.state().pipes, ...FOREIGN], "always"));
    const read = await Promise.all(pipes.map((pipe) => stateAfterRefresh(run, pipe)));
    expect(read.map((pipe) => pipe?.outputs["state"])).toEqual(["Running", "Running", "Running"]);
    await up(run, { ...named(0), waitFor: { states: ["Stopped"], timeoutSeconds: 5 } }, pipes[0]).catch(
      () => undefined,
    );
    expect(listReads(run.simulator).length).toBeGreaterThan(2);
    const service = run.simulator.account.serviceIds[0] ?? "";
    expect(run.lines.filter((line) => line.startsWith("warning"))).toEqual([
      `warning: list the pipes of service ${service}: the provider ignores objects whose ID is missing or not a UUID: "foreign".`,
    ]);
  });

  test("lets a pipe be created and adopted beside what it leaves out", async () => {
    const run = await newRun(pipeDefinition);
    const [pipe] = run.control.seedPipes([creationBody("theirs", minimal.kinesis)]);
    run.control.fault(lists([pipe, ...FOREIGN], "always"));
    expect(await up(run, orders)).toBeDefined();
    expect((await up(run, { name: "theirs", ...minimal.kinesis, adopt: pipe?.id })).id).toBe(pipe?.id);
  });

  test.each<[what: string, result: unknown]>([
    ["null", null],
    ["without the pipe", FOREIGN],
  ])("refuses an adoption in the preview where it is %s", async (_, result) => {
    const run = await newRun(pipeDefinition);
    const [pipe] = run.control.seedPipes([creationBody("theirs", minimal.kinesis)]);
    run.control.fault(lists(result));
    const refused = up(run, { name: "theirs", ...minimal.kinesis, adopt: pipe?.id });
    await expect(refused).rejects.toThrow(
      new CheckFailed(
        `adopt names pipe ${pipe?.id}, but the list of service ${run.simulator.account.serviceIds[0]} has no pipe with this ID. ` +
          "Check adopt, organizationId and serviceId. If the pipe was deleted, remove adopt and declare the credentials.",
      ),
    );
  });

  test("lets a preview refuse to adopt a pipe that it has", async () => {
    const run = await newRun(pipeDefinition);
    const [pipe] = run.control.seedPipes([creationBody("theirs", minimal.kinesis)]);
    run.control.fault(lists([pipe, ...FOREIGN], "always"));
    const other = withValue(minimal.kinesis, "source.kinesis.streamName", "other");
    const refused = up(run, { name: "theirs", ...other, adopt: pipe?.id });
    await expect(refused).rejects.toThrow(CheckFailed);
  });
});

describe("a refresh of a pipe that has failed", () => {
  test.each(["Failed", "InternalError"])("warns of the state %s, which is no difference", async (state) => {
    const { run, control, before } = await existing();
    control.editPipe(before.id, { state });
    const read = await stateAfterRefresh(run, before);
    expect(read?.outputs).toEqual({ ...outputsAfterRead(before.outputs), state });
    expect(requestCounts(run.simulator)).toEqual({ listPipes: 1 });
    expect(run.lines).toEqual([
      `warning: pipe "orders" (${before.id}) has the state ${state}: it may not be loading data. Find the reason in the service's console; the provider ` +
        "cannot start a pipe.",
    ]);
  });

  test("says nothing of a pipe that a program only reads, which another program may manage", async () => {
    const { run, control, before } = await existing();
    control.editPipe(before.id, { state: "Failed" });
    expect(await run.lifecycle.read(before.id, {})).toMatchObject({ outputs: { state: "Failed" } });
    expect(run.lines).toEqual([]);
  });
});
