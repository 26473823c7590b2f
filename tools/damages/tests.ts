import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { configOf } from "../../jest.config";
import type { Copy } from "./copy";

/** The tiers that look for damages, the cheaper first, and the command of each. */
export const TIERS = { quick: "npm run test:quick", test: "npm test" } as const;
export type FindingTier = keyof typeof TIERS;

/** A test that failed; a file that could not be loaded is one, too. */
export interface FailedTest {
  /** The file, from the root of the repository on. */
  readonly file: string;
  readonly name: string;
  /** What Jest says of the failure, without the stack. */
  readonly message: string;
}

interface JestResults {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The suites without the Pulumi CLI. */
const QUICK_SUITES = (configOf("quick").projects ?? []).map((project) =>
  typeof project === "object" ? project["displayName"] : project,
);

/** The suite of a test file, by its folder, unless a suite is named before it. */
const suiteOf = (test: string): string => (/^(\w+):/.exec(test) ?? /^(\w+)\//.exec(test))?.[1] ?? "";

/** The tier that runs a test file first. */
export const tierOf = (test: string): FindingTier =>
  QUICK_SUITES.includes(suiteOf(test)) ? "quick" : "test";

/** Runs test files of a tier in the copy, or all of them, up to the first file that fails. Returns the tests that failed. */
export async function runTests(
  copy: Copy,
  tier: FindingTier,
  tests?: readonly string[],
): Promise<readonly FailedTest[]> {
  if (tests?.length === 0) return [];
  const output = path.join(copy.cache, "results.json");
  await rm(output, { force: true });
  const suites = [...new Set(tests?.map(suiteOf))];
  const failure = await copy
    .node(
      "node_modules/jest/bin/jest.js",
      ...(tier === "quick" ? ["--config", "tests/jest/quick.config.ts"] : []),
      ...["--cacheDirectory", copy.cache, "--json", "--outputFile", output],
      ...(tests === undefined
        ? ["--bail"]
        : ["--runInBand", "--selectProjects", ...suites, "--runTestsByPath", ...tests.map(pathOf)]),
    )
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  const results = await readFile(output, "utf8").catch(() => {
    throw failure;
  });
  const read = JSON.parse(results) as JestResults;
  if (read.numTotalTests === 0) throw new Error(`no test ran of ${tests?.join(", ") ?? TIERS[tier]}`);
  return failedTests(read, copy.root);
}

/** The path of a test file, from the root of the repository on. */
export const pathOf = (test: string): string => `tests/${test.replace(/^\w+:/, "")}`;

const failedTests = ({ testResults }: JestResults, root: string): readonly FailedTest[] =>
  testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = path.relative(root, name).replaceAll(path.sep, "/");
      const failed = assertionResults.filter(({ status }) => status === "failed");
      if (failed.length === 0) return [{ file, name: "(the file itself)", message: withoutStack(message) }];
      return failed.map(({ fullName, failureMessages }) => ({
        file,
        name: fullName,
        message: withoutStack(failureMessages.join("\n")),
      }));
    });

const withoutStack = (message: string): string =>
  message
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .join("\n");
