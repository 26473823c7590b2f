import { endStarted } from "../../testkit/started";
import { Recorder } from "./recorder";
import { STORIES, type Story } from "./stories";

/** The width of the terminal of the recordings that are kept. */
export const COLUMNS = 120;

/** The names of all recordings. */
export const NAMES: readonly string[] = STORIES.flatMap(({ recordings }) => recordings);

/** Runs the stories that have one of the recordings, and returns all of theirs. */
export async function record(
  wanted: readonly string[] = NAMES,
  columns = COLUMNS,
): Promise<ReadonlyMap<string, string>> {
  const stories = STORIES.filter(({ recordings }) => recordings.some((name) => wanted.includes(name)));
  try {
    const told: (readonly [string, string])[] = [];
    for (const story of stories) told.push(...(await recordingsOf(story, columns)));
    return new Map(told);
  } finally {
    await endStarted();
  }
}

async function recordingsOf(
  { recordings, pipes, tell }: Story,
  columns: number,
): Promise<ReadonlyMap<string, string>> {
  const recorder = await Recorder.start(columns, pipes);
  await tell(recorder);
  const made = [...recorder.recordings.keys()];
  if (made.join() !== recordings.join())
    throw new Error(`a story promises the recordings ${recordings.join(", ")} and makes ${made.join(", ")}`);
  return recorder.recordings;
}
