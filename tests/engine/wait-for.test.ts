import { valueAt } from "../../testkit/deployment";
import { minimal, pipesProgram, type JsonObject } from "../../testkit/pipes";
import { listReads, newSimulator, pipeNamed, takeWrites } from "../../testkit/simulator";
import { newStack } from "../../testkit/stack";

const waiting = (states: string[], timeoutSeconds?: number): JsonObject => ({
  ...minimal.kafka,
  waitFor: timeoutSeconds === undefined ? { states } : { states, timeoutSeconds },
});

test("`up` waits until a pipe has one of the states, and says what it waits for", async () => {
  const simulator = await newSimulator({ stateSeconds: 0.8 });
  const program = pipesProgram({ orders: waiting(["Paused", "Running"]), other: waiting(["Running"], 60) });
  const stack = await newStack({ simulator, program });
  await stack.preview();
  expect(simulator.control.requests()).toEqual([]);
  const { output } = await stack.up();
  expect(output).toMatch(
    /waiting for pipe "orders" \([-0-9a-f]{36}\) to become Paused or Running: state \w+ after 0 s/,
  );
  expect(output).toMatch(/waiting for pipe "other"/);
  const polls = listReads(simulator).length;
  expect(polls).toBeGreaterThanOrEqual(1);
  // Two pipes that wait at the same time share their looks at the list.
  expect(polls).toBeLessThanOrEqual(5);
  expect(takeWrites(simulator)).toHaveLength(2);
  const { outputs } = (await stack.export()).named("orders");
  expect([valueAt(outputs, "state"), valueAt(outputs, "observed.state")]).toEqual(["Running", undefined]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});

test("a wait that times out fails and keeps the pipe, and the next `up` resumes waiting", async () => {
  const simulator = await newSimulator({ stateSeconds: 600 });
  const stack = await newStack({ simulator, program: pipesProgram({ orders: waiting(["Running"], 2) }) });
  const failed = await stack.up({ expectFailure: true });
  const { id } = pipeNamed(simulator, "orders");
  expect(failed.output).toMatch(
    /pipe "orders" \(.*\) did not become Running within 2 s; the last state seen was/,
  );
  expect(failed.output).toContain("the last state seen was Provisioning");
  expect((await stack.export()).named("orders").id).toBe(id);
  takeWrites(simulator);

  const again = await stack.up({ expectFailure: true });
  expect(again.output).toContain("the last state seen was Provisioning");
  simulator.control.editPipe(id, { state: "Running" });
  const done = await stack.up();
  expect(done.output).toMatch(/1 (to update|updated)/);
  expect(takeWrites(simulator)).toEqual([]);
  expect(valueAt((await stack.export()).named("orders").outputs, "state")).toBe("Running");
  await stack.preview({ expectNoChanges: true });
});

test("a final state ends the wait at once, and a repaired pipe succeeds", async () => {
  const simulator = await newSimulator({ stateSeconds: 600 });
  const [seeded] = simulator.control.seedPipes([
    { name: "orders", ...minimal.kafka, state: "Failed" } as never,
  ]);
  const args = { ...waiting(["Running"]), adopt: seeded?.id ?? "" };
  const stack = await newStack({ simulator, program: pipesProgram({ orders: args }) });
  const failed = await stack.up({ expectFailure: true });
  expect(failed.output).toMatch(/will not become Running by itself.*the last state seen was Failed/);
  expect((await stack.export()).named("orders").id).toBe(seeded?.id);

  simulator.control.editPipe(seeded?.id ?? "", { state: "Running" });
  await stack.up();
  expect(takeWrites(simulator)).toEqual([]);
  await stack.preview({ expectNoChanges: true });
});

test("an update waits too, and names a pipe that is deleted during the wait", async () => {
  const simulator = await newSimulator({ stateSeconds: 1 });
  const stack = await newStack({ simulator, program: pipesProgram({ orders: waiting(["Running"], 20) }) });
  await stack.up();
  takeWrites(simulator);
  await stack.write(pipesProgram({ orders: { ...waiting(["Running"], 20), name: "renamed" } }));
  const { output } = await stack.up();
  expect(output).toMatch(/waiting for pipe "renamed".*state Modifying after 0 s/);
  expect(takeWrites(simulator).map(({ body }) => body)).toEqual([{ name: "renamed" }]);
  expect(valueAt((await stack.export()).named("orders").outputs, "state")).toBe("Running");

  await stack.write(pipesProgram({ orders: { ...waiting(["Stopped"], 20), name: "renamed" } }));
  const run = stack.up({ expectFailure: true });
  const { id } = pipeNamed(simulator, "renamed");
  setTimeout(() => {
    simulator.control.deletePipe(id);
  }, 1000);
  expect((await run).output).toMatch(/pipe "renamed" .* is no longer in the list\. The provider waited/);
  expect((await stack.export()).named("orders").id).toBe(id);
});
