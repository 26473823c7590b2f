import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { run } from "../run";

const usage = `npm run laws -- [--runs <number>] [--seed=<number>] [--path <path>] [--test <name>] [<part of a file name>]

Tries the laws of tests/laws more often than \`npm test\` does (default: 2000 runs of each). A law that fails says with which
path, and the command that repeats it; --path selects one run of one test, so it needs --seed and --test.
`;

const options = {
  runs: { type: "string", default: "2000" },
  seed: { type: "string" },
  path: { type: "string" },
  test: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parse>["values"];

const parse = () => parseArgs({ options, allowPositionals: true });

/** What is wrong with the options. */
function mistakeIn({ runs, seed, path: run, test }: Values): string | undefined {
  if (!/^[1-9]\d*$/.test(runs)) return `--runs must be a positive whole number, not ${runs}`;
  if (seed !== undefined && !/^-?\d+$/.test(seed)) return `--seed must be a whole number, not ${seed}`;
  if (run === undefined) return undefined;
  if (!/^\d+(:\d+)*$/.test(run)) return `--path must be numbers with colons between them, not ${run}`;
  return seed === undefined || test === undefined ? "--path needs --seed and --test" : undefined;
}

/** The results of Jest, as its option \`--json\` writes them. */
interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string }[] }[];
}

/** Runs Jest, whose exit code is 0 also if no law has the name. */
function runLaws({ runs, seed, path: run, test }: Values, files: readonly string[]): number {
  const folder = mkdtempSync(path.join(tmpdir(), "datapipes-laws-"));
  const output = path.join(folder, "results.json");
  const literally = test?.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const jest = [
    ...[require.resolve("jest/bin/jest"), "--selectProjects", "laws", "--json", "--outputFile", output],
    ...(literally === undefined ? [] : ["--testNamePattern", `^${literally}$`]),
    ...(files.length === 0 ? [] : ["--testPathPatterns", ...files]),
  ];
  const env = { ...process.env, LAWS_RUNS: runs, LAWS_SEED: seed, LAWS_PATH: run };
  try {
    const { status } = spawnSync(process.execPath, jest, { stdio: "inherit", env });
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(
      readFileSync(output, "utf8"),
    ) as Results;
    if (numPassedTests + numFailedTests > 0) return status ?? 1;
    const names = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName }) => fullName),
    );
    process.stderr.write(`No law has this name. The laws are:\n  ${[...new Set(names)].join("\n  ")}\n`);
    return 1;
  } catch {
    return 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function main(): number {
  const { values, positionals } = parse();
  if (values.help) process.stdout.write(usage);
  if (values.help) return 0;
  const mistake = mistakeIn(values);
  if (mistake !== undefined) throw new Error(`${mistake}\n\n${usage}`);
  return runLaws(values, positionals);
}

run(() => Promise.resolve().then(main));
