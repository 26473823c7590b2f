import fc from "fast-check";
import { SOURCE_KINDS } from "../../../provider/src/resources/pipe/schema";
import { stopSimulators } from "../../support/simulator";
import { holds } from "../parameters";
import { anySteps, type Step } from "./any-step";
import type { Report } from "./engine";
import { PipeJudge } from "./pipe-judge";
import { PipeStack } from "./pipe-stack";
import { isWrite, newSessions, shown, type Session } from "./session";

/** 1,000 for all kinds together. */
const RUNS = 250;

/** As many corrections as three pipes can need, of which one may come to light after another. */
const MAX_ROUNDS = 8;

let newSession: () => Session;

beforeAll(async () => {
  newSession = await newSessions();
});
afterAll(stopSimulators);

/** What an error advises its reader to do to the program. Any other error is none that may come without a fault. */
function heed(stack: PipeStack, { failures }: Report): void {
  for (const { name, message } of failures) {
    if (message.includes('replacementPolicy: "allow"'))
      stack.correct(name, (old) => ({ ...old, policy: { ...old.policy, replacementPolicy: "allow" } }));
    else if (message.includes("adopt pipe")) stack.correct(name, ({ adopt: _adopt, ...old }) => old);
    else if (/did not become|will not become/.test(message))
      stack.correct(name, ({ policy: { waitFor: _waitFor, ...policy }, ...old }) => ({ ...old, policy }));
    else throw new Error(`Without any fault, ${name} failed: ${message}`);
  }
}

/** Without faults, and with their author heeding what he reads, program and service come to agree. */
async function settle(stack: PipeStack, judge: PipeJudge): Promise<void> {
  stack.session.simulator.control.clearFaults();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { report } = await judge.run("up --refresh");
    if (report.failures.length === 0) return;
    heed(stack, report);
  }
  throw new Error(`It does not settle in ${MAX_ROUNDS} rounds.`);
}

async function live(stack: PipeStack, steps: readonly Step[]): Promise<void> {
  const judge = new PipeJudge(stack);
  const { control } = stack.session.simulator;
  for (const { deeds, faults, run } of steps) {
    for (const deed of deeds) stack.do(deed);
    for (const fault of faults) control.fault(fault);
    await judge.run(run);
  }
  await settle(stack, judge);
  const { report, requests } = await judge.run("up --refresh");
  expect({ shown: shown(report), writes: requests.filter(isWrite) }).toEqual({ shown: "", writes: [] });
}

describe("whatever happens to pipes, the stack and the service come to agree, with no pipe too many", () => {
  test.each(SOURCE_KINDS)("%s", (kind) =>
    holds(
      fc.asyncProperty(anySteps(kind), (steps) => live(new PipeStack(newSession(), kind), steps)),
      RUNS,
    ),
  );
});
