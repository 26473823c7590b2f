import { availableParallelism } from "node:os";
import type { Config } from "jest";

type Project = Config & { displayName: string };

/** What the tests of a file have started ends with them. */
const END_STARTED = ["<rootDir>/tests/jest/end-started.ts"];

export const suite = (name: string, more: Omit<Config, "displayName"> = {}): Project => ({
  displayName: name,
  testEnvironment: "node",
  // Pulumi's SDK keeps its state on the global object, and Jest would warn of that once per property.
  testEnvironmentOptions: { globalsCleanup: "off" },
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  transform: { "\\.ts$|/github-slugger/": ["@swc/jest", { jsc: { target: "es2022" } }] },
  // This package is an ES module, which Jest cannot load as it is.
  transformIgnorePatterns: ["/node_modules/(?!github-slugger/)"],
  // A dynamic import names the compiled file, also where the test loads the source.
  moduleNameMapper: { "^(\\.{1,2}(?:/.+)?)/(client|unknown-name)\\.js$": "$1/$2" },
  // Mutation testing works on a copy, which has packages of the same names.
  modulePathIgnorePatterns: ["<rootDir>/.mutation/"],
  setupFilesAfterEnv: END_STARTED,
  ...more,
});

/** Runs the real Pulumi CLI, which Jest provides before the first of these tests, and only for them. */
const cliSuite = (name: string, more: Omit<Config, "displayName"> = {}): Project =>
  suite(name, {
    globalSetup: "<rootDir>/tests/jest/provide-cli.ts",
    ...more,
    setupFilesAfterEnv: [...END_STARTED, "<rootDir>/tests/jest/long-timeout.ts"],
  });

/** `npm run packages` sets the variable: these tests take minutes, and fetch package managers. */
const { PACKAGES_ALL } = process.env;
const EVERY_MANAGER = PACKAGES_ALL === "1" ? [] : ["<rootDir>/tests/package/every-manager/"];

const packageSuite = cliSuite("package", { testPathIgnorePatterns: ["/node_modules/", ...EVERY_MANAGER] });

/** Laws take long where many runs are asked for. */
const lawSuite = suite("laws", {
  setupFilesAfterEnv: [...END_STARTED, "<rootDir>/tests/jest/laws-timeout.ts"],
});

/** Tests of the classes of dynamic resources, of states that they left, and of the tests themselves. */
const OF_DYNAMIC_RESOURCES = ["program", "costs", "golden", "safety/pipe-rules"];

/** The tests of the engine once more, with programs that use the native plugin. */
const nativeSuite = cliSuite("native", {
  testMatch: ["<rootDir>/tests/engine/**/*.test.ts"],
  testPathIgnorePatterns: [
    "/node_modules/",
    ...OF_DYNAMIC_RESOURCES.map((name) => `<rootDir>/tests/engine/${name}\\.test\\.ts$`),
  ],
  globals: { adapter: "native" },
  globalSetup: "<rootDir>/tests/jest/provide-sdk.ts",
});

const config: Config = {
  projects: [
    suite("unit"),
    suite("types"),
    suite("api"),
    suite("plugin"),
    lawSuite,
    packageSuite,
    cliSuite("engine"),
    nativeSuite,
    cliSuite("examples"),
    cliSuite("cli"),
    cliSuite("languages", { globalSetup: "<rootDir>/tests/jest/provide-languages.ts" }),
  ],
  reporters: ["default", "<rootDir>/tests/jest/count-reporter.js"],
  // Jest reads this here only, not in a project.
  testTimeout: 60_000,
  // Most of the work is done by the CLI and its plugins, and tests wait for them.
  maxWorkers: availableParallelism() + 1,
};

export default config;
