import type { Config } from "jest";
import { suite } from "../../tests/jest/tiers";
import { TEST_MS } from "../../tests/kit/timeouts";

const provider = ["unit/!(api)/*", "unit/!(documents|recordings|reference|release|workflows)"];

/**
 * The tests that run for each mutated folder: those written for it. With all tests for all folders, a run takes
 * many times as long and kills few more mutants.
 */
const TESTS_OF: Readonly<Record<string, readonly string[]>> = {
  lifecycle: [...provider, "api/{pipe,resources}/*", "plugin/{cancel,runs,secrets,stored-values,timeouts}"],
  api: ["unit/api/*", "api/{client,network}/*", "plugin/{cancel,timeouts}"],
  resources: [...provider, "api/{client,pipe,resources}/*"],
  program: ["unit/{classes,config,functions}", "unit/check/*"],
  plugin: ["plugin/{cancel,configuration,protocol,runs,secrets,stored-values,timeouts}"],
};

/** One project: Stryker cannot run several. */
const config: Config = {
  ...suite("mutate"),
  rootDir: "../..",
  // Not by Stryker's own `testFiles`: with them it asks Jest for tests that are named like the files, and finds none.
  testMatch: (TESTS_OF[process.env["MUTATED_FOLDER"] ?? ""] ?? []).map(
    (tests) => `<rootDir>/tests/${tests}.test.ts`,
  ),
  runner: "<rootDir>/tools/mutate/covering-runner.ts",
  testTimeout: TEST_MS,
};

export default config;
