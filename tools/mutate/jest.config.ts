import type { Config } from "jest";
import { suite } from "../../jest.config";

/** The tests that need no engine, as one project: Stryker cannot run several. */
const config: Config = {
  ...suite("mutate"),
  rootDir: "../..",
  testMatch: ["<rootDir>/tests/{unit,api}/**/*.test.ts"],
  runner: "<rootDir>/tools/mutate/covering-runner.ts",
  testTimeout: 60_000,
};

export default config;
