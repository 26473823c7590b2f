import { tokenOf } from "../../testkit/adapter";
import { minimal, pipesProgram, withValue, type JsonObject } from "../../testkit/pipes";
import { killPlugins } from "./processes";
import {
  newSimulator,
  pipeNamed,
  takeWrites,
  type LoggedRequest,
  type Simulator,
} from "../../testkit/simulator";
import { newStack, type TestStack } from "../../testkit/stack";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 25));
}

/** Goes up, and kills the plugin as soon as that many requests of an operation have arrived. */
async function killedDuring(
  { stack, simulator }: { stack: TestStack; simulator: Simulator },
  operation: LoggedRequest["operationId"],
  count = 1,
): Promise<string> {
  const arrived = () => simulator.control.requests().filter(({ operationId }) => operationId === operation);
  simulator.control.clearRequests();
  const run = stack.up({ expectFailure: true });
  await Promise.race([run, until(() => arrived().length === count)]);
  expect(await killPlugins()).toBe(1);
  return (await run).output;
}

const urnOf = (name: string): string => `urn:pulumi:dev::datapipes-test::${tokenOf("Pipe")}::${name}`;

test("a pipe whose create was killed is named by the next `up`, and can be adopted before it or after it", async () => {
  const simulator = await newSimulator();
  const program = (more: Record<string, JsonObject> = {}) =>
    pipesProgram({
      early: { ...minimal.kafka, ...more["early"] },
      late: { ...minimal.kafka, ...more["late"] },
    });
  const stack = await newStack({ simulator, program: program(), cold: true });
  simulator.control.fault({ operationId: "createPipe", kind: "slow", ms: 1500, times: 2 });
  await killedDuring({ stack, simulator }, "createPipe", 2);
  await until(() => simulator.control.state().pipes.length === 2);
  const [early, late] = [pipeNamed(simulator, "early").id, pipeNamed(simulator, "late").id];
  expect((await stack.export()).ofType("Pipe")).toEqual([]);

  // A refresh before the next `up` finds the change; without it, a message says so.
  await stack.write(program({ early: { adopt: early } }));
  const next = await stack.up();
  expect(next.output).toMatch(
    new RegExp(`already has a pipe named "late".*${late}.*set adopt to the id of that one`),
  );
  expect(next.output).not.toMatch(/already has a pipe named "early"/);
  expect(
    simulator.control
      .state()
      .pipes.map(({ name }) => name)
      .sort(),
  ).toEqual(["early", "late", "late"]);
  const second = (await stack.export()).named("late").id ?? "";

  await stack.write(program({ early: { adopt: early }, late: { adopt: late } }));
  const nextRun = await stack.up();
  expect(nextRun.output).toMatch(
    new RegExp(`pipe "late" \\(${second}\\) is in the stack already.*${late}.*pulumi state delete`),
  );
  await stack.pulumi(["state", "delete", urnOf("late"), "--yes"]);
  takeWrites(simulator);
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  simulator.control.deletePipe(second);

  const managed = await stack.export();
  expect([managed.named("early").id, managed.named("late").id]).toEqual([early, late]);
  expect(
    simulator.control
      .state()
      .pipes.map(({ id }) => id)
      .sort(),
  ).toEqual([early, late].sort());
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("the next `up` finishes a killed update, and a refresh shows it if it took effect", async () => {
  const simulator = await newSimulator();
  const program = (threads: number) =>
    pipesProgram({ orders: withValue(minimal.kafka, "settings.dbmsMaxThreads", threads) });
  const threads = () => pipeNamed(simulator, "orders").settings?.dbms_max_threads;
  const stack = await newStack({ simulator, program: program(1), cold: true });
  await stack.up();
  const { id } = pipeNamed(simulator, "orders");

  await stack.write(program(2));
  simulator.control.fault({ operationId: "updatePipe", kind: "hang" });
  await killedDuring({ stack, simulator }, "updatePipe");
  expect((await stack.export()).named("orders").id).toBe(id);
  takeWrites(simulator);
  await stack.up();
  expect(takeWrites(simulator)).toEqual([
    { method: "PATCH", path: `/pipes/${id}`, body: { settings: { dbms_max_threads: 2 } } },
  ]);

  await stack.write(program(3));
  simulator.control.fault({ operationId: "updatePipe", kind: "slow", ms: 1500 });
  await killedDuring({ stack, simulator }, "updatePipe");
  await until(() => threads() === 3);
  takeWrites(simulator);
  await stack.refresh();
  await stack.preview({ expectNoChanges: true });
  expect(takeWrites(simulator)).toEqual([]);
  expect((await stack.export()).named("orders").id).toBe(id);
});
