import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const usage = `npm run laws -- [--runs <number>] [--seed=<number>] [--path <path>] [--test <name>] [<part of a file name>]

Tries the laws of tests/laws more often than \`npm test\` does (default: 2000 runs of each). A law that fails says with which
path, and the command that repeats it; --path selects one run of one test, so it needs --seed and --test.
`;

const { values, positionals } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    seed: { type: "string" },
    path: { type: "string" },
    test: { type: "string" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

if (values.help) process.stdout.write(usage);
else process.exitCode = runLaws();

function runLaws(): number {
  const { runs, seed, path, test } = values;
  const literally = test?.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const jest = [
    require.resolve("jest/bin/jest"),
    ...["--selectProjects", "laws"],
    ...(literally === undefined ? [] : ["--testNamePattern", `^${literally}$`]),
    ...(positionals.length === 0 ? [] : ["--testPathPatterns", ...positionals]),
  ];
  const env = {
    ...process.env,
    LAWS_RUNS: runs,
    ...(seed !== undefined && { LAWS_SEED: seed }),
    ...(path !== undefined && { LAWS_PATH: path }),
  };
  return spawnSync(process.execPath, jest, { stdio: "inherit", env }).status ?? 1;
}
