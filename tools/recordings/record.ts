import { endStarted } from "../../testkit/started";
import { Recorder } from "./recorder";
import { SCENARIOS, type Scenario } from "./scenarios";

/** The width of the terminal of the recordings that are kept. */
export const COLUMNS = 120;

export const NAMES: readonly string[] = SCENARIOS.flatMap(({ recordings }) => recordings);

/** Runs the scenarios that have one of the recordings, and returns all of theirs. */
export async function record(
  wanted: readonly string[] = NAMES,
  columns = COLUMNS,
): Promise<ReadonlyMap<string, string>> {
  const scenarios = SCENARIOS.filter(({ recordings }) => recordings.some((name) => wanted.includes(name)));
  try {
    const made: (readonly [string, string])[] = [];
    for (const scenario of scenarios) made.push(...(await recordingsOf(scenario, columns)));
    return new Map(made);
  } finally {
    await endStarted();
  }
}

async function recordingsOf(
  { recordings, pipes, run }: Scenario,
  columns: number,
): Promise<ReadonlyMap<string, string>> {
  const recorder = await Recorder.start(columns, pipes);
  await run(recorder);
  const made = [...recorder.recordings.keys()];
  if (made.join() !== recordings.join())
    throw new Error(
      `a scenario announces the recordings ${recordings.join(", ")} and makes ${made.join(", ")}`,
    );
  return recorder.recordings;
}
