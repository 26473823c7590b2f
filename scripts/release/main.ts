import { spawnSync } from "node:child_process";
import { run } from "../run";

const PUBLISH = ["scripts/tool.mjs", "tools", "changeset", "publish"];
const REHEARSE = [
  "node_modules/jest/bin/jest.js",
  "--config",
  "tests/jest/all.config.ts",
  "--selectProjects",
  "package",
];

/** Publishes the packages; with `--rehearse`, a test publishes them to a registry on this machine, and installs them. */
run(([option, ...more]) => {
  if (more.length > 0 || (option !== undefined && option !== "--rehearse"))
    throw new Error("usage: npm run release [-- --rehearse]");
  const command = option === undefined ? PUBLISH : [...REHEARSE, "--testPathPatterns", "package/rehearsal"];
  process.exitCode = spawnSync(process.execPath, command, { stdio: "inherit" }).status ?? 1;
  return Promise.resolve();
});
