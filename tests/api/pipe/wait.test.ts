import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { minimal } from "../../kit/pipes";
import { takeWrites, listReads, answer, requestCounts } from "../../kit/simulator";
import {
  deployResource,
  newRun,
  partialFailureOf,
  stateAfterRefresh,
  up,
  type ResourceRun,
} from "../../kit/run";

const orders = { name: "orders", ...minimal.kafka };
const waiting = (states: string[], timeoutSeconds?: number) => ({
  ...orders,
  waitFor: { states, timeoutSeconds },
});
const provisioning = (): Promise<ResourceRun> => newRun(pipeDefinition, { stateSeconds: 600 });

/** Gives the pipe another state at the sleep of this number, or deletes it. */
function atSleep(run: ResourceRun, number: number, state: string | undefined): void {
  run.otherClient = (sleeps) => {
    const id = run.control.state().pipes[0]?.id ?? "";
    if (sleeps !== number) return;
    if (state === undefined) run.control.deletePipe(id);
    else run.control.editPipe(id, { state });
  };
}

const STAYS = "The pipe stays in the stack.";

test.each<[what: string, args: object, stateSeconds: number, state: string]>([
  ["without waitFor", orders, 600, "Provisioning"],
  ["for a pipe that has the state", waiting(["Stopped", "Running"]), 0, "Running"],
])("does not wait %s", async (_, args, stateSeconds, state) => {
  const run = await newRun(pipeDefinition, { stateSeconds });
  const { outputs } = await up(run, args);
  expect(outputs["state"]).toBe(state);
  expect(run.sleeps).toEqual([]);
  expect(run.lines).toEqual([]);
  expect(listReads(run.simulator)).toHaveLength(1);
});

test("polls up to every 10 s, logs each new state, and logs an unchanged one every 30 s", async () => {
  const run = await newRun(pipeDefinition, { stateSeconds: 50 });
  const { id, outputs } = await up(run, waiting(["Failed", "Running"]));
  expect(outputs["state"]).toBe("Running");
  expect(outputs["observed"]).not.toHaveProperty("state");
  expect(run.sleeps.slice(0, 8)).toEqual([1000, 1500, 2250, 3375, 5062.5, 7593.75, 10_000, 10_000]);
  const waits = `waiting for pipe "orders" (${id}) to become Failed or Running`;
  expect(run.lines).toEqual([
    `Provisioning after 0 s: ${waits}`,
    `Provisioning after 31 s: ${waits}`,
    `Setup after 51 s: ${waits}`,
    `Setup after 81 s: ${waits}`,
  ]);
});

test.each([
  [undefined, 600],
  [12.5, 12.5],
])("a wait of at most %p s ends after %p s, names the last state, keeps the pipe", async (given, ended) => {
  const run = await newRun(pipeDefinition, { stateSeconds: 5 });
  const { id, outputs, message } = await partialFailureOf(up(run, waiting(["Stopped"], given)));
  expect(message).toBe(
    `pipe "orders" (${id}) did not become Stopped within ${ended} s; the last state seen was Running. ${STAYS} ` +
      "Check waitFor.states and the state of the pipe, or raise the timeout; then run `pulumi up`, which resumes waiting.",
  );
  expect(run.sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(ended * 1000);
  expect(outputs).toMatchObject({ name: "orders", state: "Running", observed: {} });
});

test.each(["Failed", "InternalError"])("%s, which is a final state, ends the wait at once", async (state) => {
  const run = await provisioning();
  atSleep(run, 1, state);
  const { id, message } = await partialFailureOf(up(run, waiting(["Running", "Stopped"])));
  expect(message).toBe(
    `pipe "orders" (${id}) will not become Running or Stopped by itself. The provider waited 1 s; the last state seen was ${state}. ` +
      `${STAYS} Check in the service's console why it failed.`,
  );
});

test("does not wait for a completed pipe or fail for it, now or at a later update", async () => {
  const run = await provisioning();
  atSleep(run, 1, "Completed");
  const before = await up(run, waiting(["Running"]));
  const line = `pipe "orders" (${before.id}) is Completed: it has loaded all of its data.`;
  expect(before.outputs["state"]).toBe("Completed");
  expect(run.lines.at(-1)).toEqual(line);
  await up(run, { ...waiting(["Running"]), deletionPolicy: "delete" }, before);
  expect(run.lines.at(-1)).toBe(line);
});

test("keeps waiting while a list that is behind lacks the new pipe", async () => {
  const run = await newRun(pipeDefinition, { readLagSeconds: 50, stateSeconds: 1 });
  const { outputs } = await up(run, waiting(["Running"]));
  expect(outputs["state"]).toBe("Running");
  expect(run.sleeps).toHaveLength(9);
});

describe("an update of a pipe that is waited for", () => {
  test("does not end on the state before the change if the answer has none", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, orders, { stateSeconds: 2 });
    control.advance(60);
    const read = await stateAfterRefresh(run, before);
    expect(read?.outputs["state"]).toBe("Running");
    const changed = answer({ id: before.id, name: "renamed" });
    control.fault({ operationId: "updatePipe", ...changed, processed: true });
    const { outputs } = await up(run, { ...waiting(["Running"]), name: "renamed" }, read);
    expect(run.lines[0]).toMatch(/^unknown after 0 s: waiting for pipe "renamed"/);
    expect(outputs).toMatchObject({ name: "renamed", state: "Running" });
  });

  test("reads the current state when there is nothing to send", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, orders, { stateSeconds: 600 });
    control.editPipe(before.id, { state: "Running" });
    const { outputs } = await up(run, waiting(["Running"]), before);
    expect(outputs["state"]).toBe("Running");
    expect(run.sleeps).toEqual([1_000]);
    expect(requestCounts(run.simulator)).toEqual({ listPipes: 1 });
  });

  test("sends no request when the state was read before", async () => {
    const { run, control, before } = await deployResource(pipeDefinition, orders);
    const { outputs } = await up(run, waiting(["Running"]), before);
    expect(outputs["state"]).toBe("Running");
    expect(control.requests()).toEqual([]);
  });
});

test("a change of a policy alone sends no request and does not wait", async () => {
  const { run, control, before } = await deployResource(pipeDefinition, waiting(["Running"]));
  control.editPipe(before.id, { state: "Paused" });
  const state = await stateAfterRefresh(run, before);
  takeWrites(run.simulator);
  const { outputs } = await up(run, { ...waiting(["Running"]), deletionPolicy: "delete" }, state);
  expect(outputs["deletionPolicy"]).toBe("delete");
  expect(outputs["state"]).toBe("Paused");
  expect(run.sleeps).toEqual([]);
  expect(control.requests()).toEqual([]);
});

test("a wait that is canceled in its sleep ends at once, and the pipe stays in the stack", async () => {
  const run = await provisioning();
  const sleep = run.clock.sleep.bind(run.clock);
  const isCancelled = (): boolean => run.sleeps.length > 2;
  // The third sleep is cut short.
  const cancellable = (ms: number): Promise<void> => sleep(run.sleeps.length < 2 ? ms : 1);
  Object.assign(run.clock, { isCancelled, sleep: cancellable });
  const { message } = await partialFailureOf(up(run, waiting(["Running"])));
  expect(message).toContain(STAYS);
  expect(run.sleeps).toEqual([1000, 1500, 1]);
});
