import type { Fault, LoggedRequest } from "../../../simulator/src/index";
import type { Report } from "./program";
import { isWrite, shown, type Session } from "./session";

/** What the user lets the engine do. */
export type Run = "up" | "up in parallel" | "up --refresh" | "up --replace" | "refresh";

/** Some deeds, to the program or behind its back, then a run that may meet faults. */
export interface Step<Deed> {
  readonly deeds: readonly Deed[];
  readonly faults: readonly Fault[];
  readonly run: Run;
}

/** A program and its author. */
export interface Stack<Deed> {
  readonly session: Session;
  do(deed: Deed): void;
  /** Changes the program as an error advises; false when it advises nothing that a program can do. */
  heed(name: string, message: string): boolean;
  /** Whether a line is said for as long as something is so that no program changes. */
  expects?(line: string): boolean;
}

/** What came of a run. */
export interface Outcome {
  readonly report: Report;
  readonly requests: readonly LoggedRequest[];
}

/** Lets the engine run, and fails when something is not as it must be after every run. */
export interface Judge {
  run(run: Run): Promise<Outcome>;
}

/** As many corrections as four resources can need, of which one may come to light after another. */
const MAX_ROUNDS = 12;

/** In how many runs without any change a program must have become what the service has. */
const MAX_QUIET_RUNS = 3;

/** Lives through the steps, and then settles: a last run finds nothing to do and nothing to say. */
export async function live<Deed>(
  stack: Stack<Deed>,
  judge: Judge,
  steps: readonly Step<Deed>[],
): Promise<void> {
  const { control } = stack.session.simulator;
  for (const { deeds, faults, run } of steps) {
    for (const deed of deeds) stack.do(deed);
    for (const fault of faults) control.fault(fault);
    await judge.run(run);
  }
  control.clearFaults();
  await settle(stack, judge);
  await expectQuiet(stack, judge);
}

/** A field that the service writes in another way is sent once at most; then nothing is sent, and nothing is said. */
async function expectQuiet<Deed>(stack: Stack<Deed>, judge: Judge): Promise<void> {
  const { control } = stack.session.simulator;
  const sent = new Set<string>();
  for (let runs = 1; ; runs += 1) {
    const { report, requests } = await judge.run("up --refresh");
    const writes = requests.filter(isWrite);
    for (const { method, path, body } of writes) {
      const what = JSON.stringify([method, path, body]);
      if (sent.has(what)) throw new Error(`Nothing has changed, and it was sent again: ${what}`);
      sent.add(what);
    }
    if (writes.length > 0 && runs < MAX_QUIET_RUNS) continue;
    const present = new Set(control.state().pipes.map(({ id }) => id));
    const lines = report.lines.filter(
      (line) => !namesDoubles(line, present) && !saysNotCompared(line) && stack.expects?.(line) !== true,
    );
    expect({ shown: shown({ ...report, lines }), writes }).toEqual({ shown: "", writes: [] });
    return;
  }
}

/** Whether a line says that a pipe is there twice, and names pipes that are: it is said for as long as they are there. */
function namesDoubles(line: string, present: ReadonlySet<string>): boolean {
  const [, pipe = "", doubles = ""] =
    /^warning: pipe ".*" \((\S+)\) is perhaps in the service twice: (.+) has the same name/.exec(line) ?? [];
  return [pipe, ...doubles.split(", ")].every((id) => present.has(id));
}

/** Without faults, and with an author who heeds what he reads, nothing fails for long. */
async function settle<Deed>(stack: Stack<Deed>, judge: Judge): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { report } = await judge.run("up --refresh");
    if (report.failures.length === 0) return;
    for (const { name, message } of report.failures)
      if (!stack.heed(name, message)) throw new Error(`Without any fault, ${name} failed: ${message}`);
  }
  throw new Error(`It does not settle in ${MAX_ROUNDS} rounds.`);
}

/** A refresh says of settings and endpoints that the API has no operation that reads them. */
const saysNotCompared = (line: string): boolean =>
  /no operation that reads (the settings of a service|reverse private endpoints), so (nothing|none of them) was compared/.test(
    line,
  );
