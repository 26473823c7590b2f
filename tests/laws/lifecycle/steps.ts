import type { Step } from "./any-pipe-step";
import type { PipeChecker } from "./pipe-checker";
import type { PipeStack } from "./pipe-stack";
import { isWrite, shown } from "./session";

/** As many corrections as four resources can need when each run reveals one. */
const MAX_ROUNDS = 12;

/** The number of runs of an unchanged program after which the provider must send nothing. */
const MAX_RUNS_WITH_WRITES = 3;

/** Runs the steps, then runs without faults until a last run sends and prints nothing. */
export async function runSteps(
  stack: PipeStack,
  checker: PipeChecker,
  steps: readonly Step[],
): Promise<void> {
  const { control } = stack.session.simulator;
  for (const { actions, faults, run } of steps) {
    for (const action of actions) stack.apply(action);
    for (const fault of faults) control.fault(fault);
    await checker.run(run);
  }
  control.clearFaults();
  await settle(stack, checker);
  await expectNoChanges(stack, checker);
}

/** The provider sends a field that the service normalizes once at most, then sends and prints nothing. */
async function expectNoChanges(stack: PipeStack, checker: PipeChecker): Promise<void> {
  const { control } = stack.session.simulator;
  const sent = new Set<string>();
  for (let runs = 1; ; runs += 1) {
    const { report, requests } = await checker.run("up --refresh");
    const writes = requests.filter(isWrite);
    for (const { method, path, body } of writes) {
      const what = JSON.stringify([method, path, body]);
      if (sent.has(what))
        throw new Error(`The program did not change, but the provider sent this again: ${what}`);
      sent.add(what);
    }
    if (writes.length > 0 && runs < MAX_RUNS_WITH_WRITES) continue;
    const states = new Map(control.state().pipes.map(({ id, state }) => [id, state]));
    const lines = report.lines.filter((line) => !isRepeated(line, states));
    expect({ shown: shown({ ...report, lines }), writes }).toEqual({ shown: "", writes: [] });
    return;
  }
}

/** Whether the provider repeats a line on every run while its cause lasts, and the cause is true; `states` has those of the pipes that exist. */
function isRepeated(line: string, states: ReadonlyMap<string, string>): boolean {
  // Reads may be behind.
  const [, unlisted] = /^pipe ".*" \((\S+)\) is not in the list\. The provider reads/.exec(line) ?? [];
  if (unlisted !== undefined) return states.has(unlisted);
  const [, id = "", state] =
    /^warning: pipe ".*" \((\S+)\) has the state (\w+): it may not be loading data/.exec(line) ?? [];
  return state !== undefined && states.get(id) === state;
}

/** Runs without faults and follows the advice of each error until a run succeeds. */
async function settle(stack: PipeStack, checker: PipeChecker): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { report, requests } = await checker.run("up --refresh");
    if (report.failures.length === 0) return;
    for (const { name, message } of report.failures)
      if (!stack.followAdvice({ name, message, requests }))
        throw new Error(`${name} failed without a fault: ${message}`);
  }
  throw new Error(`Runs still fail after ${MAX_ROUNDS} corrections.`);
}
