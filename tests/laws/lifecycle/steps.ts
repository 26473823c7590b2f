import type { Fault, LoggedRequest } from "../../../simulator/src/index";
import type { Report } from "./program";
import { isWrite, shown, type Session } from "./session";

/** The commands that a user runs. */
export type Run = "up" | "up in parallel" | "up --refresh" | "up --replace" | "refresh";

/** Some actions on the program or on the service, then a run in which requests may fail. */
export interface Step<Action> {
  readonly actions: readonly Action[];
  readonly faults: readonly Fault[];
  readonly run: Run;
}

/** A program, and the user who edits it. */
export interface Stack<Action> {
  readonly session: Session;
  apply(action: Action): void;
  /** Changes the program as an error message advises; false if the message has no advice for a program. */
  followAdvice(name: string, message: string): boolean;
  /** Whether the provider repeats a line on every run, for a reason that no program can change. */
  expects?(line: string): boolean;
}

/** The result of a run. */
export interface Outcome {
  readonly report: Report;
  readonly requests: readonly LoggedRequest[];
}

/** Runs the engine, and throws if a rule that holds after every run is broken. */
export interface Checker {
  run(run: Run): Promise<Outcome>;
}

/** As many corrections as four resources can need when each run reveals one. */
const MAX_ROUNDS = 12;

/** The number of runs of an unchanged program after which the provider must send nothing. */
const MAX_RUNS_WITH_WRITES = 3;

/** Runs the steps, then runs without faults until a last run sends and prints nothing. */
export async function runSteps<Action>(
  stack: Stack<Action>,
  checker: Checker,
  steps: readonly Step<Action>[],
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
async function expectNoChanges<Action>(stack: Stack<Action>, checker: Checker): Promise<void> {
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
    const present = new Set(control.state().pipes.map(({ id }) => id));
    const lines = report.lines.filter(
      (line) => !namesDuplicates(line, present) && !saysNotCompared(line) && stack.expects?.(line) !== true,
    );
    expect({ shown: shown({ ...report, lines }), writes }).toEqual({ shown: "", writes: [] });
    return;
  }
}

/** Whether a line warns of duplicates that exist: the provider repeats it while they exist. */
function namesDuplicates(line: string, present: ReadonlySet<string>): boolean {
  const [, pipe = "", duplicates = ""] =
    /^warning: pipe ".*" \((\S+)\) may be in the service twice: (.+) has the same name/.exec(line) ?? [];
  return [pipe, ...duplicates.split(", ")].every((id) => present.has(id));
}

/** Runs without faults and follows the advice of each error until a run succeeds. */
async function settle<Action>(stack: Stack<Action>, checker: Checker): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { report } = await checker.run("up --refresh");
    if (report.failures.length === 0) return;
    for (const { name, message } of report.failures)
      if (!stack.followAdvice(name, message)) throw new Error(`${name} failed without a fault: ${message}`);
  }
  throw new Error(`Runs still fail after ${MAX_ROUNDS} corrections.`);
}

/** Whether a line says that the API has no operation that reads settings or endpoints. */
const saysNotCompared = (line: string): boolean =>
  /no operation that reads (the settings of a service|reverse private endpoints)\. The refresh compared (nothing|none of them)/.test(
    line,
  );
