import { spawnSync } from "node:child_process";
import path from "node:path";
import { run } from "../run";
import { COMBINATION_NAMES, type CombinationName } from "./combination";
import { writeResult } from "./results";
import { runCombination } from "./run-combination";

const usage = `usage: npm run lanes [-- <combination> …]

Runs the packed packages with other versions of Node and of the SDK, and writes docs/versions.md and the table of README.md.
Combinations: ${COMBINATION_NAMES.join(", ")}. The exit code is 1 when a check fails.
`;

const isCombination = (name: string): name is CombinationName =>
  COMBINATION_NAMES.some((combination) => combination === name);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(args: readonly string[]): Promise<number> {
  const combinations = args.filter(isCombination);
  if (combinations.length < args.length) {
    process.stderr.write(usage);
    return args.includes("--help") ? 0 : 2;
  }
  let isAnyFailed = false;
  for (const name of combinations.length === 0 ? COMBINATION_NAMES : combinations) {
    const result = await runCombination(name, say);
    isAnyFailed ||= result.failed !== undefined;
    writeResult(result);
  }
  const reference = path.resolve(__dirname, "../reference/main.ts");
  const { status } = spawnSync(process.execPath, [require.resolve("ts-node/dist/bin"), reference], {
    stdio: "inherit",
  });
  return isAnyFailed ? 1 : (status ?? 1);
}

run(main);
