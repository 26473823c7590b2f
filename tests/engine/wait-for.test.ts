import { creationBody, intoTable, pipeInOwnTable } from "../kit/pipes";
import { newSimulator, pipeNamed, requestCounts, takeMethods, type Simulator } from "../kit/simulator";
import { newStack, type TestStack } from "../kit/stack";

const stopped = { waitFor: { states: ["Stopped"], timeoutSeconds: 1 } };

/** Pipes that wait. The last one adopts a pipe that has failed. */
const programOf = (adopt: string, options?: string): string =>
  [
    pipeInOwnTable("orders", { waitFor: { states: ["Paused", "Running"] } }),
    pipeInOwnTable("late", stopped),
    pipeInOwnTable("starred", stopped, options),
    pipeInOwnTable("failed", { waitFor: { states: ["Running"] }, adopt }),
  ].join("");

describe("a stack of pipes that wait for a state", () => {
  const failing = { expectFailure: true, flags: ["--continue-on-error"] };
  let simulator: Simulator;
  let stack: TestStack;
  let adopted: string;

  beforeAll(async () => {
    simulator = await newSimulator({ stateSeconds: 0.8 });
    const failed = { ...creationBody("failed", intoTable("failed")), state: "Failed" };
    adopted = simulator.control.seedPipes([failed])[0]?.id ?? "";
    stack = await newStack({ simulator, program: programOf(adopted, '{ replaceOnChanges: ["*"] }') });
  });

  test("a preview reads what it will adopt, and waits for nothing", async () => {
    await stack.preview();
    expect(requestCounts(simulator)).toEqual({ listPipes: 1 });
  });

  test("`up` waits, fails in time or when the state cannot come, and keeps the pipes", async () => {
    const { output } = await stack.up(failing);
    expect(output).toMatch(/waiting for pipe "orders" \(\S+\) to become Paused or Running/);
    expect(output).toMatch(/pipe "late" \(\S+\) did not become Stopped within 1 s/);
    expect(output).toMatch(/pipe "failed" .* will not become Running by itself/);
    expect(takeMethods(simulator)).toEqual(["POST", "POST", "POST"]);
    const state = await stack.export();
    expect(state.named("orders").outputs).toMatchObject({ state: "Running" });
    for (const name of ["orders", "late", "failed", "starred"])
      expect(state.named(name).id).toBe(pipeNamed(simulator, name).id);
  });

  test("refuses the replacement that the engine plans after the failed wait", async () => {
    const { output } = await stack.up(failing);
    expect(output).toContain("replaceOnChanges, or a replacement that an earlier run did not finish");
  });

  test("the next `up` resumes waiting, and sends nothing", async () => {
    await stack.write(programOf(adopted));
    const states = { late: "Stopped", starred: "Stopped", failed: "Running" };
    for (const [name, state] of Object.entries(states))
      simulator.control.editPipe(pipeNamed(simulator, name).id, { state });
    const { output } = await stack.up();
    expect(output).toMatch(/~ 3 updated/);
    expect(takeMethods(simulator)).toEqual([]);
    const stored = await stack.export();
    for (const [name, state] of Object.entries(states))
      expect(stored.named(name).outputs).toMatchObject({ name, state });
    await stack.preview({ expectNoChanges: true, flags: ["--refresh"] });
  });
});
