/**
 * Mutation testing: `npm run mutate`, or of a part: `npm run mutate -- lifecycle`, `npm run mutate -- api/retry api/redaction`.
 * A run stores its results in `.mutation/`, and the next one tries only mutants that a change can affect; `--force`
 * tries all of them.
 */
import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

const PLACE = ".mutation";

/** The mutated folders; `jest.config.ts` lists the tests of each. */
const FOLDERS = ["lifecycle", "api", "resources", "program", "plugin"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: "boolean", default: false } },
});

/** The files of a folder of the sources, or one file, with or without its extension. */
function filesOf(/** @type {string} */ part) {
  const [folder = "", ...rest] = part.split("/");
  const path = [folder === "plugin" ? "plugin/src" : `provider/src/${folder}`, ...rest].join("/");
  return existsSync(path) && statSync(path).isDirectory()
    ? `${path}/**/*.ts`
    : path.replace(/(\.ts)?$/, ".ts");
}

for (const folder of FOLDERS) {
  const asked = positionals.filter((part) => part.split("/")[0] === folder);
  if (positionals.length > 0 && asked.length === 0) continue;
  process.env["MUTATED_FOLDER"] = folder;
  await new Stryker({
    // `args.ts` has types only.
    mutate: [...(asked.length === 0 ? [folder] : asked).map(filesOf), "!**/args.ts"],
    testRunner: "jest",
    jest: { configFile: "tools/mutate/jest.config.ts" },
    plugins: ["@stryker-mutator/jest-runner"],
    coverageAnalysis: "perTest",
    // A schema is evaluated once, when its file loads: ignoring static mutants would leave most schemas untested.
    ignoreStatic: false,
    concurrency: 2,
    // Added to the time that all tests take to load, which is long enough.
    timeoutMS: 2_000,
    incremental: true,
    incrementalFile: `${PLACE}/${folder}-incremental.json`,
    force: values.force,
    tempDirName: `${PLACE}/sandbox`,
    ignorePatterns: ["**/dist", "/coverage", "/docs", "/examples"],
    reporters: ["clear-text", "progress-append-only", "json"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: true },
    jsonReporter: { fileName: `${PLACE}/${folder}.json` },
    thresholds: { high: 95, low: 90, break: 90 },
    allowConsoleColors: false,
  }).runMutationTest();
}
