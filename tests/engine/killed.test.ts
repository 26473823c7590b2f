import { isNative } from "../kit/program";
import {
  answer,
  requestCounts,
  listReads,
  newSimulator,
  pipeNamed,
  takeWrites,
  until,
  type Simulator,
} from "../kit/simulator";
import { descendantsOf } from "../kit/cli";
import { mapValues, withValue, type JsonObject } from "../kit/json";
import { withOwnDatabases, minimal, pipesProgram } from "../kit/pipes";
import { newStack, type TestStack } from "../kit/stack";

/** The script of the plugin: the stock one that runs dynamic providers, or our own. */
const PLUGIN = isNative
  ? /[\\/]plugin[\\/]dist[\\/]start\.js /
  : /[\\/]cmd[\\/]dynamic-provider[\\/]index\.js /;

/** Sends a signal to the descendants of this process with such a command, and returns their number. */
async function signal(command: RegExp, name: "SIGKILL" | "SIGINT"): Promise<number> {
  const found = (await descendantsOf(process.pid)).filter(({ args }) => command.test(args));
  for (const { pid } of found) process.kill(pid, name);
  return found.length;
}

/** Goes up, and kills the plugin as soon as that many requests of these operations have arrived. */
async function killedDuring(stack: TestStack, simulator: Simulator, arrivals: Record<string, number>) {
  simulator.control.clearRequests();
  const run = stack.up({ expectFailure: true });
  const arrived = (operation: string): number => requestCounts(simulator)[operation] ?? 0;
  const all = () => Object.entries(arrivals).every(([operation, count]) => arrived(operation) === count);
  await Promise.race([run, until(all)]);
  expect(await signal(PLUGIN, "SIGKILL")).toBe(1);
  await run;
}

/** Pipes of which a program declares some. `threads` is what updates change. */
const program = (threads: number, pipes: Record<string, JsonObject>): string =>
  pipesProgram(
    withOwnDatabases({
      orders: withValue(minimal.kafka, "settings.dbmsMaxThreads", threads),
      ...mapValues(pipes, (more) => ({ ...minimal.kafka, ...more })),
    }),
  );

test("a run after a killed one finishes its update, and refuses to create its pipes again", async () => {
  const simulator = await newSimulator();
  const { control } = simulator;
  const stack = await newStack({ simulator, program: program(1, {}), cold: true });
  await stack.up();
  const orders = pipeNamed(simulator, "orders").id;

  await stack.write(program(2, { early: {}, late: {} }));
  control.fault({ operationId: "createPipe", kind: "slow-body", ms: 600_000, times: 2 });
  control.fault({ operationId: "updatePipe", kind: "hang" });
  await killedDuring(stack, simulator, { createPipe: 2, updatePipe: 1 });
  await until(() => control.state().pipes.length === 3);
  const early = pipeNamed(simulator, "early").id;
  const late = pipeNamed(simulator, "late").id;
  expect((await stack.export()).ofType("Pipe").map(({ id }) => id)).toEqual([orders]);

  await stack.write(program(2, { early: { adopt: early }, late: {} }));
  const refused = await stack.preview({ expectFailure: true });
  expect(refused.output).toContain(`set adopt: "${late}"`);

  // A refresh before the next `up` would find the change; without it, the update is sent again.
  await stack.write(program(2, { early: { adopt: early }, late: { adopt: late } }));
  takeWrites(simulator);
  await stack.up();
  const body = { settings: { dbms_max_threads: 2 } };
  expect(takeWrites(simulator)).toEqual([{ method: "PATCH", path: `/pipes/${orders}`, body }]);

  await stack.preview({ expectNoChanges: true });
  const managed = await stack.export();
  for (const [name, id] of Object.entries({ orders, early, late }))
    expect({ name, id: managed.named(name).id }).toEqual({ name, id });
  expect(control.state().pipes).toHaveLength(3);
});

test("a run that is canceled while it looks for a pipe finds it; the next has nothing to do", async () => {
  const simulator = await newSimulator();
  const { control } = simulator;
  const stack = await newStack({ simulator, program: pipesProgram({ lost: minimal.kafka }), cold: true });
  control.fault({ operationId: "createPipe", kind: "reset-after" });
  control.fault({ operationId: "listPipes", ...answer([]), times: 4 });
  const run = stack.up({ expectFailure: "either" });
  await until(() => listReads(simulator).length === 3);
  expect(await signal(/^\S*[\\/]pulumi up /, "SIGINT")).toBe(1);
  const { output } = await run;
  expect(output).toMatch(/create pipe "lost": .*; looking for the pipe in the list for up to a minute/);
  expect((await stack.export()).named("lost").id).toBe(pipeNamed(simulator, "lost").id);
  takeWrites(simulator);
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
});
