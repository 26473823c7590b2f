import { spawnSync } from "node:child_process";
import path from "node:path";
import { run } from "../run";
import { LANE_NAMES, type LaneName } from "./lane";
import { writeResult } from "./results";
import { runLane } from "./run-lane";

const usage = `usage: npm run lanes [-- <lane> …]

Runs the packed packages with other versions of Node and of the SDK, and writes docs/lanes.md and the table of README.md.
Lanes: ${LANE_NAMES.join(", ")}. The exit code is 1 when a check fails.
`;

const isLane = (name: string): name is LaneName => LANE_NAMES.some((lane) => lane === name);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(args: readonly string[]): Promise<number> {
  const lanes = args.filter(isLane);
  if (lanes.length < args.length) {
    process.stderr.write(usage);
    return args.includes("--help") ? 0 : 2;
  }
  let isAnyFailed = false;
  for (const name of lanes.length === 0 ? LANE_NAMES : lanes) {
    const result = await runLane(name, say);
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
