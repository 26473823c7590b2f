import { availableParallelism } from "node:os";
import path from "node:path";
import type { Config } from "jest";
import { CLI_TEST_MS, TEST_MS } from "../kit/timeouts";

const rootDir = path.resolve(__dirname, "../..");

type Settings = Omit<Config, "displayName">;

/** The suites without the Pulumi CLI, which each tier runs. A suite is a folder of `tests`. */
const QUICK = ["unit", "types", "api", "simulator", "plugin", "laws"];

/**
 * What `npm run test:all` alone runs of a suite: what packs the plugin, takes half a minute, or proves none of the most
 * important promises. `npm test` proves all promises of creating, replacing, deleting and secrets.
 */
const ONLY_IN_ALL: Readonly<Record<string, readonly string[]>> = {
  plugin: ["archives", "killed-engine", "launcher"],
  engine: ["costs", "drift-lines", "failed-programs", "formats", "hosts", "model"],
};

/** The only files of these suites in `npm test`. */
const IN_TEST: Readonly<Record<string, readonly string[]>> = {
  cli: ["doctor", "import", "status", "summary"],
  examples: ["examples", "quickstart"],
};

/** The files of `engine` for dynamic resources only, or for the native plugin only. The suite `native` runs the others, too. */
const NOT_FOR_BOTH = ["costs", "failed-programs", "hosts", "native-plugin", "program", "run-program"];

/** Whether `npm test` runs a test file, such as `engine/create`. */
export function isInNpmTest(file: string): boolean {
  const [suite = "", ...rest] = file.split("/");
  const name = rest.join("/");
  return [...QUICK, "engine"].includes(suite)
    ? ONLY_IN_ALL[suite]?.includes(name) !== true
    : IN_TEST[suite]?.includes(name) === true;
}

const filesOf = (suite: string, names: readonly string[]): string[] =>
  names.map((name) => `<rootDir>/tests/${suite}/${name}.test.ts`);

const without = (suite: string, names: readonly string[] = []): Settings => ({
  testPathIgnorePatterns: ["/node_modules/", ...names.map((name) => `/tests/${suite}/${name}\\.test\\.ts$`)],
});

/** What the tests of a file have started ends with them. */
const END_STARTED = ["<rootDir>/tests/jest/end-started.ts"];

export const suite = (name: string, more: Settings = {}): Config => ({
  displayName: name,
  rootDir,
  testEnvironment: "node",
  // Pulumi's SDK keeps its state on the global object, and Jest would warn of that once per property.
  testEnvironmentOptions: { globalsCleanup: "off" },
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  transform: { "\\.ts$": ["@swc/jest", { jsc: { target: "es2022" } }] },
  // A dynamic import names the compiled file, also where the test loads the source.
  moduleNameMapper: { "^(\\.{1,2}(?:/.+)?)/(run|queries)\\.js$": "$1/$2" },
  // Mutation testing works on a copy, which has packages of the same names, and a packed SDK has its name twice.
  modulePathIgnorePatterns: ["<rootDir>/.mutation/", "<rootDir>/plugin/sdks/"],
  setupFilesAfterEnv: END_STARTED,
  ...more,
});

/**
 * Jest provides the Pulumi CLI before the first test of such a suite. Hosts for programs and plugins stay between its
 * runs, and a run finds nothing of an earlier one: `engine/hosts` proves it.
 */
const withHosts: Settings = { globalSetup: "<rootDir>/tests/jest/provide-hosts.ts" };

/** The SDK for Node.js, too, which Go generates from the plugin's schema. */
const withSdk: Settings = { globalSetup: "<rootDir>/tests/jest/provide-sdk.ts" };

/** With `PACKAGES_ALL=1`, the suite `package` fetches package managers, and takes minutes longer. */
const { PACKAGES_ALL } = process.env;
const EVERY_MANAGER = PACKAGES_ALL === "1" ? [] : ["every-manager/doctor-fixes"];

const native: Settings = {
  ...withSdk,
  ...without("engine", NOT_FOR_BOTH),
  testMatch: ["<rootDir>/tests/engine/**/*.test.ts"],
  globals: { adapter: "native" },
};

const quickSuites = QUICK.map((name) => suite(name, without(name, ONLY_IN_ALL[name])));

const TIERS = {
  quick: {
    command: "npm run test:quick",
    introduction: "Quick tests, without the Pulumi CLI: units, types, requests, the plugin's protocol, laws.",
    projects: quickSuites,
  },
  test: {
    command: "npm test",
    introduction:
      "The quick tests, and the most important promises with the real Pulumi CLI and the simulator.",
    projects: [
      suite("engine", { ...withHosts, ...without("engine", ONLY_IN_ALL["engine"]) }),
      ...Object.entries(IN_TEST).map(([name, files]) =>
        suite(name, { ...withHosts, testMatch: filesOf(name, files) }),
      ),
      ...quickSuites,
    ],
  },
  all: {
    command: "npm run test:all",
    introduction: "All tests, with dynamic resources and with the native plugin.",
    projects: [
      suite("package", { ...withHosts, ...without("package", EVERY_MANAGER) }),
      ...["engine", "examples", "cli"].map((name) => suite(name, withHosts)),
      suite("native", native),
      suite("languages", withSdk),
      suite("browser", { globalSetup: "<rootDir>/tests/browser/install.ts" }),
      ...QUICK.map((name) => suite(name)),
    ],
  },
} satisfies Record<string, { command: string; introduction: string; projects: Config[] }>;

/** The configuration of a tier, whose tests run in a zone other than UTC. */
export function configOf(tier: keyof typeof TIERS): Config {
  const { projects, ...said } = TIERS[tier];
  // On a machine in UTC, no test would notice a time that is read as local time.
  process.env["TZ"] = "Asia/Kolkata";
  return {
    rootDir,
    projects,
    testSequencer: "<rootDir>/tests/jest/sequencer.mjs",
    reporters: ["default", ["<rootDir>/tests/jest/summary-reporter.mjs", said]],
    // Jest reads this here only, not in a project.
    testTimeout: tier === "quick" ? TEST_MS : CLI_TEST_MS,
    // Most of the work is done by the CLI and its plugins, and tests wait for them.
    maxWorkers: 2 * availableParallelism(),
  };
}
