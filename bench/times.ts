import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../tests/kit/cleanup";

/** A line of shell, and what runs before each of its runs, outside of its time. */
export interface Timed {
  readonly line: string;
  readonly prepare?: string;
}

/** Wall time, in seconds. */
export interface Seconds {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Whether hyperfine is installed. Without it, Node.js measures. */
export const hasHyperfine = spawnSync("hyperfine", ["--version"]).status === 0;

/** Runs each line so often, and gives its times. */
export const timesOf = (commands: readonly Timed[], runs: number): Promise<Seconds[]> =>
  hasHyperfine ? byHyperfine(commands, runs) : byNode(commands, runs);

async function byHyperfine(commands: readonly Timed[], runs: number): Promise<Seconds[]> {
  const file = path.join(await temporaryFolder("bench"), "times.json");
  const prepared = commands.flatMap(({ prepare }) => (prepare === undefined ? [] : ["--prepare", prepare]));
  const lines = commands.map(({ line }) => line);
  const shown = ["--style", "none", "--export-json", file];
  await ran("hyperfine", [...shown, "--runs", `${runs}`, ...prepared, ...lines]);
  return (JSON.parse(await readFile(file, "utf8")) as { results: Seconds[] }).results;
}

/** Runs the lines in turn, so that a change of the load concerns all. */
async function byNode(commands: readonly Timed[], runs: number): Promise<Seconds[]> {
  const seconds = commands.map((): number[] => []);
  for (let run = 0; run < runs; run += 1)
    for (const [index, { line, prepare = ":" }] of commands.entries()) {
      await ran("sh", ["-c", prepare]);
      const begun = performance.now();
      await ran("sh", ["-c", line]);
      seconds[index]?.push((performance.now() - begun) / 1000);
    }
  return seconds.map((values) => ({
    median: medianOf(values),
    min: Math.min(...values),
    max: Math.max(...values),
  }));
}

/** The middle one of an odd number of values. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Runs a command to its end. The simulator answers meanwhile, because it is in this process. */
export async function ran(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => output.push(data));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`A run ended with ${code ?? "a signal"}:\n${output.join("")}`);
}
