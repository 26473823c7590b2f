import { currentDeadline } from "../../plugin/src/calls";
import { currentUrn } from "../../provider/src/messages/advised-urn";
import { cancellableClock, systemClock } from "../../provider/src/api/http/clock";
import type { Cancellation, Clock, Deadline } from "../../provider/src/api/http/clock";
import type { EngineLine } from "../../testkit/native-plugin";
import { settingsOf } from "../../testkit/plugin-calls";
import { startInProcess } from "../../testkit/plugin-in-process";
import type { Simulator } from "../../testkit/simulator";
import { onEnd } from "../../testkit/started";

export const SPEED = 20;

let skipped = 0;

/** Advances the time at once, without ending a sleep. */
export const skip = (seconds: number): void => {
  skipped += seconds * 1000;
};

export const fastTime = (): number => systemClock.now() * SPEED + skipped;

function fastClock(cancellation: Cancellation): Clock {
  const clock = cancellableClock(cancellation);
  const deadlines = new WeakMap<Deadline, Deadline>();
  return {
    ...clock,
    now: fastTime,
    sleep: (milliseconds) => clock.sleep(milliseconds / SPEED),
    deadline: () => {
      const ofMachine = currentDeadline();
      if (ofMachine === undefined) return undefined;
      const duration = ofMachine.seconds * 1000;
      const at = (ofMachine.at - duration) * SPEED + skipped + duration;
      const deadline = deadlines.get(ofMachine) ?? { ...ofMachine, at };
      deadlines.set(ofMachine, deadline);
      return deadline;
    },
  };
}

/** The plugin's provider in this process, configured for a simulator, with its lines and the engine's calls. */
export async function newPlugin(
  simulator?: Simulator,
  newClock = fastClock,
  options: Parameters<typeof startInProcess>[2] = {},
) {
  const lines: EngineLine[] = [];
  const lineOf = (severity: EngineLine["severity"]) => (message: string) => {
    lines.push({ severity, message, urn: currentUrn() ?? "" });
  };
  const output = { log: lineOf("info"), warn: lineOf("warning") };
  const { provider, ...calls } = startInProcess(output, newClock, options);
  // Ends the waits that a deadline has left.
  onEnd(() => {
    provider.end();
  });
  if (simulator !== undefined) await calls.configure(settingsOf(simulator));
  const cancel = (): void => {
    provider.cancel();
  };
  return { ...calls, lines, cancel };
}

export type Plugin = Awaited<ReturnType<typeof newPlugin>>;
