import { setTimeout as sleep } from "node:timers/promises";
import { withValue, type JsonObject } from "../kit/json";
import { minimal } from "../kit/pipes";
import { callFailureOf, urnOf } from "../kit/plugin";
import { newSimulator, takeWrites, writes, type Simulator } from "../kit/simulator";
import { newPlugin, time, type Plugin } from "./in-process";

let simulator: Simulator;
let plugin: Plugin;

beforeAll(async () => {
  simulator = await newSimulator({ now: () => time.now() });
  plugin = await newPlugin(simulator);
  // The first create also loads modules, for which the clock does not wait.
  await create("first", 3600);
});

beforeEach(() => {
  takeWrites(simulator);
  plugin.lines.length = 0;
});

/** How long an answer takes in fact, while the time of the plugins skips more. It is longer than a turn of `takes`. */
const ANSWER_MS = 50;

/** The next request of an operation takes so long, by the time of the plugins. */
async function takes(simulated: Simulator, operationId: "createPipe" | "listPipes", seconds: number) {
  const count = (): number =>
    simulated.control.requests().filter((request) => request.operationId === operationId).length;
  const before = count();
  simulated.control.fault({ operationId, kind: "slow", ms: ANSWER_MS });
  while (count() === before) await sleep(1);
  time.skip(seconds * 1000);
}

/** A pipe of a topic of its own. */
const pipe = (name: string): JsonObject => withValue(minimal.kafka, "source.kafka.topics", name);

const create = (name: string, timeout: number, more: object = {}, by = plugin) =>
  by.deploy({ ...pipe(name), ...more }, { of: urnOf(name), timeout });

/** Checks a pipe, and lets the list that the check has read get too old for its create. */
async function checkedLongAgo(name: string, by: Plugin): Promise<object> {
  const { inputs } = await by.check(pipe(name), {}, urnOf(name));
  time.skip(61_000);
  return inputs;
}

const idOf = (name: string): string | undefined =>
  simulator.control.state().pipes.find((pipe) => pipe.name === name)?.id;

test("the shorter of waitFor.timeoutSeconds and customTimeouts ends a wait, and is named", async () => {
  const of = urnOf("both");
  const declared = { ...pipe("both"), waitFor: { states: ["Nope"], timeoutSeconds: 20 } };
  const longer = await callFailureOf(plugin.deploy(declared, { of, timeout: 600 }));
  expect(longer.message).toContain("did not become Nope within 20 s; the");
  expect(longer.message).not.toContain("customTimeouts");
  const { inputs } = await plugin.check(declared, {}, of);
  const shorter = await callFailureOf(
    plugin.update(longer.id ?? "", longer.outputs, inputs, { of, timeout: 10 }),
  );
  expect(shorter.message).toContain("did not become Nope within the 10 s of customTimeouts; the");
  expect(shorter.message).not.toContain("stays in the stack");
});

test("a timeout that is longer than the default of waitFor replaces it", async () => {
  const isLate = plugin.nextLine(/^Running after 7\d\d s: .* to become Stopped$/);
  const created = create("orders", 3600, { waitFor: { states: ["Stopped"] } });
  await isLate;
  simulator.control.editPipe(idOf("orders") ?? "", { state: "Stopped" });
  expect((await created).outputs).toMatchObject({ state: "Stopped" });
});

test("a request that was sent is awaited: a create that takes longer than its timeout succeeds", async () => {
  const [{ id }] = await Promise.all([create("slow", 20), takes(simulator, "createPipe", 30)]);
  expect(idOf("slow")).toBe(id);
});

test("after the timeout of a create, its lost answer is still looked for, and the pipe is found", async () => {
  simulator.control.fault({ operationId: "createPipe", kind: "reset-after" });
  const [{ id }] = await Promise.all([create("lost", 25), takes(simulator, "listPipes", 30)]);
  expect(idOf("lost")).toBe(id);
  expect(writes(simulator)).toHaveLength(1);
});

test("no write starts after the timeout: a read before it took all of the time", async () => {
  // No list of another test takes the fault.
  const alone = await newSimulator({ now: () => time.now() });
  const own = await newPlugin(alone);
  const inputs = await checkedLongAgo("late", own);
  const created = callFailureOf(own.create(inputs, { of: urnOf("late"), timeout: 10 }));
  const [failed] = await Promise.all([created, takes(alone, "listPipes", 12)]);
  expect(failed).toMatchObject({
    message:
      'create pipe "late" was not sent: the 10 s of customTimeouts have passed. Raise customTimeouts, then run the command again.',
    id: undefined,
  });
  expect(alone.control.state().pipes).toEqual([]);
  // The next call has its own time.
  const { id } = await create("late", 600, {}, own);
  expect(alone.control.state().pipes).toMatchObject([{ id }]);
});

test.each([
  { operationId: "createPipe", pause: 300, says: /returned 429/ },
  { operationId: "listPipes", pause: 300, says: /was not sent: the 20 s of customTimeouts have passed\./ },
  { operationId: "createPipe", pause: 1e12, says: /The API asks the provider to wait 9\d{11} s/ },
  { operationId: "listPipes", pause: 1e12, says: /The API asks the provider to wait 9\d{11} s/ },
] as const)("a create ends by its timeout where $operationId asks for a pause of $pause s", async (row) => {
  // The rate limiter of this plugin will wait as the server asks.
  const busy = await newSimulator({ now: () => time.now() });
  const own = await newPlugin(busy);
  const inputs = await checkedLongAgo("refused", own);
  const { operationId, pause, says } = row;
  const headers = { "retry-after": String(pause) };
  busy.control.fault({ operationId, kind: "status", status: 429, headers, times: 99 });
  const start = time.now();
  const failed = await callFailureOf(own.create(inputs, { of: urnOf("refused"), timeout: 20 }));
  expect(time.now() - start).toBeLessThanOrEqual(20_000);
  expect(failed.message).toMatch(says);
});
