import { spawnSync } from "node:child_process";
import path from "node:path";

/** The root of the repository, from where packages are found by name. */
export const REPOSITORY = path.join(__dirname, "..");

/** Runs a script in a fresh process of Node.js and gives what it printed, read as JSON. */
export function inFreshProcess(script: string, args: readonly string[] = []): unknown {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script, ...args], {
    cwd: REPOSITORY,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs every script once per round, one right after the other, and gives the answers of each in the order of the rounds. */
export function interleaved<N extends string>(
  scripts: Readonly<Record<N, string>>,
  rounds: number,
): Record<N, number[]> {
  const names = Object.keys(scripts) as N[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, number[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) results[name].push(Number(inFreshProcess(scripts[name])));
  return results;
}
