import type { Config } from "jest";
import { suite } from "../../jest.config";

const provider = ["unit/!(package|pulumi-cli|support|api)/*", "unit/!(reference)"];

/**
 * Per folder that is mutated the tests that judge it: those that are made for it. With all tests for all of them a run takes
 * many times as long, most of it for what survives anyway.
 */
const JUDGES: Readonly<Record<string, readonly string[]>> = {
  core: provider,
  api: ["unit/api/*", "api/{client,network}/*"],
  resources: [...provider, "api/{pipe,resources}/*"],
};

/** One project, for Stryker cannot run several. */
const config: Config = {
  ...suite("mutate"),
  rootDir: "../..",
  // Not by Stryker's own `testFiles`: with them it asks Jest for tests that are named like the files, and finds none.
  testMatch: (JUDGES[process.env["MUTATED_FOLDER"] ?? ""] ?? []).map(
    (tests) => `<rootDir>/tests/${tests}.test.ts`,
  ),
  runner: "<rootDir>/tools/mutate/covering-runner.ts",
  testTimeout: 60_000,
};

export default config;
