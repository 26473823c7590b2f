import { valueAt } from "../kit/deployment";
import type { JsonObject } from "../kit/json";
import { withOwnDatabases, creationBody, minimal, pipesProgram } from "../kit/pipes";
import { expectNoWrites, expectWrites } from "./expectations";
import { newSimulator, pipeNamed, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const waiting = (states: string[], more: JsonObject = {}): JsonObject => ({
  ...minimal.kafka,
  waitFor: { states, ...more },
});

const starred = withOwnDatabases({ starred: waiting(["Stopped"], { timeoutSeconds: 1 }) });

/** Pipes that wait, of which the last adopts a pipe that has failed. */
const programOf = (adopt: string): string =>
  pipesProgram({
    ...withOwnDatabases({
      orders: waiting(["Paused", "Running"]),
      late: waiting(["Stopped"], { timeoutSeconds: 1 }),
    }),
    failed: { ...waiting(["Running"]), adopt },
  });

async function expectWaits(simulator: Simulator, stack: TestStack): Promise<void> {
  await stack.preview();
  // The preview reads what it will adopt, and waits for nothing.
  expect(simulator.control.requests().map(({ operationId }) => operationId)).toEqual(["listPipes"]);
  const { output } = await stack.up({ expectFailure: true, flags: ["--continue-on-error"] });
  for (const line of [
    /\w+ after 0 s: waiting for pipe "orders" \([-0-9a-f]{36}\) to become Paused or Running/,
    /pipe "late" \(.*\) did not become Stopped within 1 s; the last state seen was \w+\./,
    /pipe "failed" .* will not become Running by itself.*the last state seen was Failed/,
  ])
    expect(output).toMatch(line);
  expectWrites(simulator, "POST", "POST", "POST");
  const state = await stack.export();
  const { outputs } = state.named("orders");
  expect(valueAt(outputs, "state")).toBe("Running");
  expect(valueAt(outputs, "observed.state")).toBeUndefined();
  for (const name of ["orders", "late", "failed", "starred"])
    expect(state.named(name).id).toBe(pipeNamed(simulator, name).id);
}

test("`up` waits for a state, fails in time or when none can come, and resumes waiting", async () => {
  const simulator = await newSimulator({ stateSeconds: 0.8 });
  const [{ id: adopt } = { id: "" }] = simulator.control.seedPipes([
    { ...creationBody("failed", minimal.kafka), state: "Failed" },
  ]);
  const program = programOf(adopt);
  const replacing = pipesProgram(starred, '{ replaceOnChanges: ["*"] }');
  const stack = await newStack({ simulator, program: program + replacing });
  await expectWaits(simulator, stack);

  // After a failed run, the engine would replace a resource with this option.
  const refused = await stack.up({ expectFailure: true, flags: ["--continue-on-error"] });
  expect(refused.output).toContain("replaceOnChanges, or a replacement that an earlier run did not finish");

  await stack.write(program + pipesProgram(starred));
  for (const name of ["late", "starred"])
    simulator.control.editPipe(pipeNamed(simulator, name).id, { state: "Stopped" });
  simulator.control.editPipe(adopt, { state: "Running" });
  const resumed = await stack.up();
  expect(resumed.output).toMatch(/~ 3 updated/);
  expectNoWrites(simulator);
  const after = await stack.export();
  const states = ["late", "starred", "failed"].map((name) => valueAt(after.named(name).outputs, "state"));
  expect(states).toEqual(["Stopped", "Stopped", "Running"]);
  await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
});
