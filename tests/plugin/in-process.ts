import { setImmediate as nextTurn } from "node:timers/promises";
import { currentUrn } from "../../plugin/src/calls";
import { cancellableClock, type Cancellation } from "../../plugin/src/cancellable-clock";
import { systemClock, type Clock } from "../../provider/src/api/http/clock";
import type { EngineLine } from "./native-plugin";
import { settingsOf, startInProcess, type InProcessOptions } from "../kit/plugin";
import { ManualClock } from "../kit/clock";
import type { Simulator } from "../kit/simulator";
import { onEnd } from "../kit/cleanup";

/** The time of all plugins of a test file. It passes during their calls only, and not while they wait for an answer. */
export const time = new ManualClock();

jest.spyOn(systemClock, "now").mockImplementation(() => time.now());
jest.spyOn(systemClock, "sleep").mockImplementation((milliseconds) => time.sleep(milliseconds));

function newClock(cancellation: Cancellation): Clock {
  const ofMachine = cancellableClock(cancellation);
  return {
    ...ofMachine,
    sleep: (milliseconds) => {
      // The machine's sleep ends only when the run is canceled. Then the time must pass, too.
      const cancelled = ofMachine.sleep(Infinity).then(() => nextTurn());
      return Promise.race([time.sleep(milliseconds), cancelled]);
    },
  };
}

/** The plugin's provider in this process, configured for a simulator, with its lines and the engine's calls. */
export async function newPlugin(simulator?: Simulator, options: Omit<InProcessOptions, "during"> = {}) {
  const lines: EngineLine[] = [];
  const readers = new Set<(line: string) => void>();
  const lineOf = (severity: EngineLine["severity"]) => (message: string) => {
    lines.push({ severity, message, urn: currentUrn() ?? "" });
    for (const read of readers) read(message);
  };
  const output = { log: lineOf("info"), warn: lineOf("warning") };
  const during = (work: Promise<unknown>) => time.runDuring(work);
  const { provider, ...calls } = startInProcess(output, newClock, { ...options, during });
  // Ends the waits that a deadline has left.
  onEnd(() => {
    provider.end();
  });
  if (simulator !== undefined) await calls.configure(settingsOf(simulator));
  const cancel = (): void => {
    provider.cancel();
  };
  /** Resolves with the next line of these words, before any time passes. */
  const nextLine = (words: RegExp | string): Promise<string> =>
    new Promise((resolve) => {
      const read = (line: string): void => {
        if (line.search(words) < 0) return;
        readers.delete(read);
        resolve(line);
      };
      readers.add(read);
    });
  return { ...calls, lines, nextLine, cancel };
}

export type Plugin = Awaited<ReturnType<typeof newPlugin>>;
