import { startPlugin, urnOf, type NativePlugin } from "../../testkit/native-plugin";
import { minimal } from "../../testkit/pipes";
import { newSimulator, takeWrites, writes, type Simulator } from "../../testkit/simulator";
import { callsOn, failureOf } from "./calls";

let simulator: Simulator;
let plugin: NativePlugin;

beforeAll(async () => {
  simulator = await newSimulator();
  plugin = await startPlugin(simulator);
});

beforeEach(() => {
  takeWrites(simulator);
  plugin.lines.length = 0;
});

const { check, create, update } = callsOn(() => plugin);

/** The checked inputs of a pipe. */
const inputsOf = async (name: string, more: object = {}): Promise<object> =>
  (await check({ ...minimal.kafka, ...more }, {}, urnOf(name))).inputs;

const isThere = (name: string): boolean => simulator.control.state().pipes.some((pipe) => pipe.name === name);

const NEXT_STEP =
  "Raise customTimeouts, or check waitFor.states and the pipe; then run `pulumi up`, which resumes waiting.";

test("the timeout of a create ends a wait whose own default is longer, and the pipe stays in the stack", async () => {
  const of = urnOf("short");
  const inputs = await inputsOf("short", { waitFor: { states: ["Nope"] } });
  const failed = await failureOf(create(inputs, { of, timeout: 4 }));
  expect(failed.message).toBe(
    `pipe "short" (${failed.id}) did not become Nope within the 4 s of customTimeouts; the last state seen was Running. ` +
      `The pipe stays in the stack. ${NEXT_STEP}`,
  );
  expect(failed.outputs).toMatchObject({ name: "short", state: "Running" });
  expect(writes(simulator)).toHaveLength(1);
});

test("the shorter one of waitFor.timeoutSeconds and customTimeouts ends a wait, and the error names it", async () => {
  const of = urnOf("both");
  const inputs = await inputsOf("both", { waitFor: { states: ["Nope"], timeoutSeconds: 4 } });
  const longer = await failureOf(create(inputs, { of, timeout: 600 }));
  expect(longer.message).toContain("did not become Nope within 4 s; the");
  expect(longer.message).not.toContain("customTimeouts");
  const shorter = await failureOf(update(longer.id ?? "", longer.outputs, inputs, { of, timeout: 3 }));
  expect(shorter.message).toContain("did not become Nope within the 3 s of customTimeouts; the");
});

test("a timeout that is longer than the default of waitFor replaces it", async () => {
  const slow = await newSimulator({ stateSeconds: 2 });
  const own = await startPlugin(slow);
  const on = callsOn(() => own);
  const { inputs } = await on.check({ ...minimal.kafka, waitFor: { states: ["Running"] } });
  await on.create(inputs, { timeout: 3600 });
  expect(own.lines.map(({ message }) => message)).toEqual([
    expect.stringContaining("to become Running: state Provisioning after 0 s"),
    expect.stringContaining("to become Running: state Setup after"),
  ]);
});

test("a request that was sent is awaited: a create that takes longer than its timeout succeeds", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "slow", ms: 5000 });
  const { id } = await create(await inputsOf("slow"), { of: urnOf("slow"), timeout: 4 });
  expect(simulator.control.state().pipes.find((pipe) => pipe.name === "slow")?.id).toBe(id);
});

test("after the timeout of a create, its lost answer is still looked for, and the pipe is found", async () => {
  const before = writes(simulator).length;
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
  simulator.control.fault({ operationId: "listPipes", kind: "slow", ms: 3000 });
  const { id } = await create(await inputsOf("lost"), { of: urnOf("lost"), timeout: 6 });
  expect(simulator.control.state().pipes.find((pipe) => pipe.name === "lost")?.id).toBe(id);
  expect(writes(simulator)).toHaveLength(before + 1);
});

test("no write starts after the timeout: a read before it took all of the time", async () => {
  const own = await startPlugin(simulator);
  const on = callsOn(() => own);
  simulator.control.fault({ operationId: "listPipes", kind: "slow", ms: 1200 });
  const failed = await failureOf(on.create(await inputsOf("late"), { of: urnOf("late"), timeout: 1 }));
  expect(failed).toMatchObject({
    message:
      'create pipe "late" was not sent: the 1 s of customTimeouts have passed. Raise customTimeouts, then run the command again.',
    id: undefined,
  });
  expect(isThere("late")).toBe(false);
  // The next call has its own time.
  await on.create(await inputsOf("late"), { of: urnOf("late"), timeout: 30 });
  expect(isThere("late")).toBe(true);
});

test("a write is not retried when the server asks for more time than the timeout leaves", async () => {
  // The rate limiter of this process will wait as the server asks.
  const own = await startPlugin(simulator);
  const on = callsOn(() => own);
  const of = urnOf("busy");
  const inputs = await inputsOf("busy", { deletionPolicy: "delete" });
  const { id, outputs } = await create(inputs, { of });
  takeWrites(simulator);
  simulator.control.fault({ operationId: "deletePipe", kind: "rate-limit", resetSeconds: 60 });
  const start = Date.now();
  const refused = await failureOf(on.delete(id, outputs, { of, timeout: 2 }));
  expect(refused.message).toMatch(/returned 429.*Lower datapipes:rateLimit/);
  expect(own.lines.map(({ message }) => message)).toEqual([
    `delete pipe "busy" (${id}): status 429; not retrying, because customTimeouts leaves no time for it`,
  ]);
  const unsent = await failureOf(on.delete(id, outputs, { of, timeout: 0.5 }));
  expect(unsent.message).toContain("was not sent: the 0.5 s of customTimeouts have passed.");
  expect(Date.now() - start).toBeLessThan(30_000);
  expect([takeWrites(simulator).length, isThere("busy")]).toEqual([1, true]);
});

test("without a timeout, nothing ends early", async () => {
  const of = urnOf("unlimited");
  const inputs = await inputsOf("unlimited", { waitFor: { states: ["Running"] } });
  await create(inputs, { of, timeout: 0 });
  expect(isThere("unlimited")).toBe(true);
});
