import { pipeDefinition } from "../../../provider/src/resources/pipe/pipe";
import { newSimulator, requestCounts, takeBodies, until } from "../../kit/simulator";
import { failureOf } from "../../kit/client";
import { ManualClock } from "../../kit/clock";
import { valueAt } from "../../kit/deployment";
import { newRun, Runs, up } from "../../kit/run";
import { withValue, type JsonObject } from "../../kit/json";
import { minimal } from "../../kit/pipes";

/** A pipe of a topic of its own. */
const pipe = (topic: string, name = topic): JsonObject => ({
  ...withValue(minimal.kafka, "source.kafka.topics", topic),
  __key: `Pipe::${topic}`,
  name,
});

const LOST = { operationId: "createPipe", kind: "reset-after" } as const;

test("creates of one run read one list for all, and send one POST each", async () => {
  const run = await newRun(pipeDefinition);
  run.nextRun();
  await Promise.all([up(run, pipe("first")), up(run, pipe("second"))]);
  await up(run, pipe("third"));
  expect(requestCounts(run.simulator)).toEqual({ listPipes: 1, createPipe: 3 });
});

test("a pipe that another client creates after the preview is found before the POST", async () => {
  const run = await newRun(pipeDefinition);
  const { lifecycle } = run;
  const checked = lifecycle.check(undefined, pipe("orders"));
  await lifecycle.checkAgainstOthers(checked);
  const other = await up(run, pipe("orders"));
  run.control.clearRequests();
  await run.clock.sleep(61_000);
  const { message } = await failureOf(lifecycle.create(checked.inputs, checked.key));
  expect(message).toContain(`To manage that pipe, set adopt: "${other.id}",`);
  expect(requestCounts(run.simulator)).toEqual({ listPipes: 1 });
});

test("200 creates with lost answers ask for at most 12 lists and send one POST each", async () => {
  const clock = new ManualClock();
  const start = Date.now();
  const simulator = await newSimulator({ readLagSeconds: 20, now: () => start + clock.now() });
  simulator.control.fault({ ...LOST, times: 200 });
  const run = new Runs(pipeDefinition, simulator, clock, { maxRetries: 4 });
  run.nextRun();
  const names = Array.from({ length: 200 }, (_, index) => `orders-${index}`);
  const created = Promise.all(names.map((name) => up(run, pipe(name))));
  const looks = (): number =>
    run.lines.filter((line) => line.includes("looking for the pipe in the list")).length;
  // No time passes before all answers are lost.
  await until(() => looks() >= 200);
  expect((await clock.runDuring(created)).map(({ outputs }) => outputs["name"])).toEqual(names);
  expect(simulator.control.state().pipes).toHaveLength(200);
  const { createPipe, listPipes } = requestCounts(simulator);
  expect(createPipe).toBe(200);
  expect(listPipes).toBeLessThanOrEqual(12);
});

test("creates of one name wait for each other, and each takes its own pipe", async () => {
  const run = await newRun(pipeDefinition, { readLagSeconds: 20 });
  run.control.fault({ ...LOST, times: 3 });
  run.nextRun();
  const topics = ["first", "second", "third"];
  const created = await Promise.all(topics.map((topic) => up(run, pipe(topic, "orders"))));
  expect(created.map(({ outputs }) => valueAt(outputs, "source.kafka.topics"))).toEqual(topics);
  const pipes = run.control.state().pipes.map(({ id, source }) => ({ id, topic: source.kafka?.topics }));
  expect(pipes).toEqual(created.map(({ id }, index) => ({ id, topic: topics[index] })));
  expect(requestCounts(run.simulator)["createPipe"]).toBe(3);
});

test("a create is sent after one of its name has failed", async () => {
  const run = await newRun(pipeDefinition);
  run.nextRun();
  run.control.fault({ operationId: "createPipe", kind: "status", status: 400 });
  const creates = [up(run, pipe("first", "orders")), up(run, pipe("second", "orders"))];
  const ends = await Promise.allSettled(creates);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(run.control.state().pipes).toHaveLength(1);
});

test("a lost create takes no pipe that another resource of the run has created", async () => {
  const run = await newRun(pipeDefinition);
  run.nextRun();
  const first = await up(run, pipe("first", "orders"));
  run.control.fault({ operationId: "createPipe", kind: "reset-before" });
  expect((await failureOf(up(run, pipe("second", "orders")))).finding).toBe("may-exist");
  expect(run.control.state().pipes.map(({ id }) => id)).toEqual([first.id]);
});

test("a create waits for one of its name in any case, and for no other", async () => {
  const run = await newRun(pipeDefinition);
  run.nextRun();
  run.control.fault({ operationId: "createPipe", kind: "hang", times: 1 });
  void up(run, pipe("first", "orders")).catch(() => undefined);
  await up(run, pipe("second", "returns"));
  void up(run, pipe("third", " Orders")).catch(() => undefined);
  await up(run, pipe("fourth", "clicks"));
  const names = takeBodies(run.simulator).map((body) => valueAt(body, "name"));
  expect(names).toEqual(["orders", "returns", "clicks"]);
});
