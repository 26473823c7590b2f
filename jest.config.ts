import type { Config } from "jest";

const suite = (name: string, testTimeout = 10_000): Config & { displayName: string } => ({
  displayName: name,
  testEnvironment: "node",
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  transform: { "\\.ts$": ["@swc/jest", { jsc: { target: "es2022" } }] },
  // The real CLI is slow on small machines; a test that hangs still ends.
  testTimeout,
});

const config: Config = {
  projects: [suite("unit"), suite("api"), suite("engine", 600_000)],
  reporters: ["default", "<rootDir>/tests/support/count-reporter.js"],
};

export default config;
