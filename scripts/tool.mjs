/**
 * Runs a command of a package that `npm ci` of the root does not install: `node scripts/tool.mjs <folder> [<command> …]`.
 * The `package.json` of the folder has the package. This installs it first, if the lockfile has changed.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";

const [folder = "", command, ...args] = process.argv.slice(2);

const changedAt = (/** @type {string} */ file) =>
  statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Runs a program to its end. A failure ends this process. */
function run(/** @type {string} */ program, /** @type {readonly string[]} */ words, stdout = 1) {
  const shell = process.platform === "win32";
  const { status, error } = spawnSync(program, words, { stdio: [0, stdout, 2], shell });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (changedAt("node_modules/.package-lock.json") < changedAt("package-lock.json")) {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  run("npm", ["ci", "--prefix", folder, ...quietly], 2);
}
if (command !== undefined) run(path.join(folder, "node_modules/.bin", command), args);
