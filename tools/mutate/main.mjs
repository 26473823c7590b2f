/**
 * Mutation testing: `npm run mutate`, or of a part: `npm run mutate -- core`, `npm run mutate -- api/retry`.
 * A run leaves what it found in `.mutation/`, and the next one tries only mutants that a change could touch; `--force`
 * tries all of them.
 */
import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

const PLACE = ".mutation";
const SOURCES = "provider/src/{core,api,resources}";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: "string", default: "2" }, force: { type: "boolean", default: false } },
});

/** A folder of the sources, or one file of them, with or without its ending. */
function filesOf(/** @type {string} */ part) {
  const path = `provider/src/${part}`;
  return existsSync(path) && statSync(path).isDirectory()
    ? `${path}/**/*.ts`
    : path.replace(/(\.ts)?$/, ".ts");
}

await new Stryker({
  mutate: [
    ...(positionals.length === 0 ? [`${SOURCES}/**/*.ts`] : positionals.map(filesOf)),
    // Types only.
    "!provider/src/**/args.ts",
  ],
  testRunner: "jest",
  jest: { configFile: "tools/mutate/jest.config.ts" },
  plugins: ["@stryker-mutator/jest-runner"],
  coverageAnalysis: "perTest",
  // What stands on a field is evaluated when its schema is loaded: without such mutants most of the schemas would go untested.
  ignoreStatic: false,
  concurrency: Number(values.concurrency),
  // Added to the time that all tests need to load, which is more than enough already.
  timeoutMS: 2_000,
  incremental: true,
  incrementalFile: `${PLACE}/incremental.json`,
  force: values.force,
  tempDirName: `${PLACE}/sandbox`,
  ignorePatterns: ["**/dist", "coverage", "docs", "examples"],
  reporters: ["clear-text", "progress-append-only", "html", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: true },
  htmlReporter: { fileName: `${PLACE}/report.html` },
  jsonReporter: { fileName: `${PLACE}/report.json` },
  thresholds: { high: 95, low: 85, break: 85 },
  allowConsoleColors: false,
}).runMutationTest();
