import { availableParallelism } from "node:os";
import type { Config } from "jest";
import type { Tier } from "./testkit/tier";

type Project = Config & { displayName: string };

/** What the tests of a file have started ends with them. */
const END_STARTED = ["<rootDir>/tests/jest/end-started.ts"];

export const suite = (name: string, more: Omit<Config, "displayName"> = {}): Project => ({
  displayName: name,
  rootDir: __dirname,
  testEnvironment: "node",
  // Pulumi's SDK keeps its state on the global object, and Jest would warn of that once per property.
  testEnvironmentOptions: { globalsCleanup: "off" },
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  transform: { "\\.ts$|/github-slugger/": ["@swc/jest", { jsc: { target: "es2022" } }] },
  // This package is an ES module, which Jest cannot load as it is.
  transformIgnorePatterns: ["/node_modules/(?!github-slugger/)"],
  // A dynamic import names the compiled file, also where the test loads the source.
  moduleNameMapper: { "^(\\.{1,2}(?:/.+)?)/(client|arguments)\\.js$": "$1/$2" },
  // Mutation testing works on a copy, which has packages of the same names, and a packed SDK has its name twice.
  modulePathIgnorePatterns: ["<rootDir>/.mutation/", "<rootDir>/plugin/sdks/"],
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

/** A suite without these files, which are named from the folder `tests` on. */
const without = (files: readonly string[], project: Project): Project => ({
  ...project,
  testPathIgnorePatterns: [
    ...(project.testPathIgnorePatterns ?? ["/node_modules/"]),
    ...files.map((file) => `/tests/${file}`),
  ],
});

/** The nightly run sets the variable: these tests take minutes, and fetch package managers. */
const { PACKAGES_ALL } = process.env;
const EVERY_MANAGER = PACKAGES_ALL === "1" ? [] : ["package/every-manager/"];

/** Laws take long where many runs are asked for. */
const lawSuite = suite("laws", {
  setupFilesAfterEnv: [...END_STARTED, "<rootDir>/tests/jest/laws-timeout.ts"],
});

const engineFile = (name: string): string => `engine/${name}.test.ts`;

/** Tests of the classes of dynamic resources, of states that they left, and of the tests themselves. */
const OF_DYNAMIC_RESOURCES = ["program", "costs", "golden", "hosts"].map(engineFile);

const OF_NATIVE_PLUGIN = engineFile("native-plugin");

/** Tests of what the two adapters to the engine do differently. */
const OF_BOTH_ADAPTERS = [
  OF_NATIVE_PLUGIN,
  ...[
    "adopt",
    "create",
    "functions",
    "model",
    "providers",
    "refresh",
    "replace",
    "same-load",
    "wait-for",
  ].map(engineFile),
  ...["reverse-private-endpoint", "safety/destroy", "safety/shared-ids", "service-settings"].map(engineFile),
];

/** The tests of the engine once more, with programs that use the native plugin. */
const nativeSuite = (files: readonly string[]): Project =>
  cliSuite("native", {
    testMatch: files.map((file) => `<rootDir>/tests/${file}`),
    globals: { adapter: "native" },
    globalSetup: "<rootDir>/tests/jest/provide-sdk.ts",
  });

const withoutEngine = [suite("unit"), suite("types"), suite("api"), suite("plugin"), lawSuite];

const withEngine = (native: readonly string[]): Project[] => [
  without(EVERY_MANAGER, cliSuite("package")),
  without([OF_NATIVE_PLUGIN], cliSuite("engine")),
  without(OF_DYNAMIC_RESOURCES, nativeSuite(native)),
  cliSuite("examples"),
  cliSuite("cli"),
  cliSuite("languages", { globalSetup: "<rootDir>/tests/jest/provide-sdk.ts" }),
];

/** What a tier leaves out. */
const LEFT_OUT: Readonly<Record<Tier, readonly string[]>> = {
  quick: [
    "api/simulator/page-browser.test.ts",
    "unit/site-page-browser.test.ts",
    ...["archives", "killed-engine", "launcher"].map((name) => `plugin/${name}.test.ts`),
  ],
  test: [
    "cli/recordings.test.ts",
    "engine/shared-key.test.ts",
    "unit/site-page-browser.test.ts",
    ...["policies", "template", "unit-tests"].map((name) => `examples/${name}.test.ts`),
    ...["archives", "go", "java", "policies-moved", "python", "schema-examples"].map(
      (name) => `languages/${name}.test.ts`,
    ),
    "package/managers.test.ts",
  ],
  all: [],
};

const TIERS: Readonly<Record<Tier, { command: string; introduction: string; projects: Project[] }>> = {
  quick: {
    command: "npm run test:quick",
    introduction: "Quick tests, without the Pulumi CLI: units, types, requests, the plugin's protocol, laws.",
    projects: withoutEngine,
  },
  test: {
    command: "npm test",
    introduction: "All promises, each at least once, with the real Pulumi CLI and the simulator.",
    projects: [...withEngine(OF_BOTH_ADAPTERS), ...withoutEngine],
  },
  all: {
    command: "npm run test:all",
    introduction: "All tests, in both forms, and every process of the Pulumi CLI started anew.",
    projects: [...withEngine(["engine/**/*.test.ts"]), ...withoutEngine],
  },
};

/** The configuration of a tier. */
export function configOf(tier: Tier): Config {
  const { projects, ...said } = TIERS[tier];
  return {
    rootDir: __dirname,
    projects: projects.map((project) => ({
      ...without(LEFT_OUT[tier], project),
      globals: { ...project.globals, tier },
    })),
    testSequencer: "<rootDir>/tests/jest/sequencer.mjs",
    reporters: ["default", ["<rootDir>/tests/jest/summary-reporter.mjs", said]],
    // Jest reads this here only, not in a project.
    testTimeout: 60_000,
    // Most of the work is done by the CLI and its plugins, and tests wait for them.
    maxWorkers: availableParallelism() + 1,
  };
}

export default configOf("test");
