/**
 * Says at the beginning what a run of tests does, and at the end what it has found: the slowest tests, the runs of the Pulumi CLI, the
 * command that repeats each failed test alone, the names of skipped tests, and last the names of failed tests and the counts.
 * JavaScript, because Jest loads reporters as they are.
 *
 * @typedef {import("@jest/reporters").AggregatedResult} Results
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SLOWEST = 20;

/** The environment variable with the file to which the CLI's runs are added, a line each. */
const RUNS_VARIABLE = "DATAPIPES_TEST_RUNS";

/** A file that could not be loaded, or failed outside its tests, failed at least once. */
const failedIn = (/** @type {Results["testResults"][number]} */ file) =>
  Math.max(file.numFailingTests, file.testExecError !== undefined || Boolean(file.failureMessage) ? 1 : 0);

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

/** For a shell: nothing in the name is special there, nor in a regular expression. */
const pattern = (/** @type {string} */ name) =>
  `'^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", ".")}$'`;

/** How often each command of the CLI ran, the most frequent first. */
function runsIn(/** @type {string} */ file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const counts = new Map(lines.map((line) => [line, lines.filter((other) => other === line).length]));
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  return [`${lines.length} runs of the Pulumi CLI: ${sorted.join(", ")}`];
}

function countsOf(/** @type {Results} */ { testResults: files }) {
  const passed = sum(files.map((file) => file.numPassingTests));
  const skipped = sum(files.map((file) => file.numPendingTests + file.numTodoTests));
  const counted = `${passed} passed, ${sum(files.map(failedIn))} failed`;
  // The first line is for machines.
  return [counted, `${counted}, ${skipped} skipped`];
}

export default class SummaryReporter {
  /** @param {{ testNamePattern?: string, nonFlagArgs?: string[], rootDir?: string }} [globalConfig] @param {{ introduction?: string, command?: string }} [options] */
  constructor(globalConfig = {}, { introduction = "", command = "npm test" } = {}) {
    this.namesSkipped = !globalConfig.testNamePattern;
    this.rootDir = globalConfig.rootDir ?? process.cwd();
    this.introduction = globalConfig.nonFlagArgs?.length === 0 ? introduction : "";
    this.command = command;
    this.folder = mkdtempSync(path.join(tmpdir(), "datapipes-runs-"));
    process.env[RUNS_VARIABLE] = path.join(this.folder, "runs");
  }

  onRunStart() {
    if (this.introduction !== "") process.stdout.write(`${this.introduction}\n`);
  }

  /** When Jest has said everything else: after its own summary, and after what it says of open handles. */
  onRunComplete(/** @type {unknown} */ _, /** @type {Results} */ results) {
    const ended = `tests ended after ${seconds(Date.now() - results.startTime)}`;
    const lines = [...this.details(results), ended, ...this.failures(results), ...countsOf(results)];
    rmSync(this.folder, { recursive: true, force: true });
    process.once("exit", () => {
      process.stdout.write(`\n${lines.join("\n")}\n`);
    });
  }

  /** The failed tests; of a file in which all tests passed, what failed is outside of them. */
  failures(/** @type {Results} */ { testResults: files }) {
    return files.flatMap((file) => {
      const place = path.relative(this.rootDir, file.testFilePath);
      const failed = file.testResults.filter(({ status }) => status === "failed");
      if (failed.length > 0) return failed.map(({ fullName }) => `failed: ${place}: ${fullName}`);
      return failedIn(file) > 0 ? [`failed: ${place}: outside of its tests`] : [];
    });
  }

  details(/** @type {Results} */ { testResults: files }) {
    const tests = files.flatMap(({ testFilePath, displayName, testResults }) => {
      const file = path.relative(this.rootDir, testFilePath);
      const suite = displayName?.name ?? "";
      return testResults.map((test) => ({ ...test, file, suite, ms: test.duration ?? 0 }));
    });
    const ofStatus = (/** @type {string[]} */ ...statuses) =>
      tests.filter(({ status }) => statuses.includes(status));
    const slow = tests.filter(({ ms }) => ms >= 1000).sort((a, b) => b.ms - a.ms);
    const skipped = this.namesSkipped ? ofStatus("pending", "todo") : [];
    return [
      ...slow
        .slice(0, SLOWEST)
        .map(({ ms, file, fullName }) => `${seconds(ms).padStart(7)}  ${file}: ${fullName}`),
      ...runsIn(path.join(this.folder, "runs")),
      ...ofStatus("failed").map(
        ({ suite, file, fullName }) =>
          `repeat: ${this.command} -- --selectProjects ${suite} -t ${pattern(fullName)} -- ${file}`,
      ),
      ...skipped.map(({ fullName }) => `skipped: ${fullName}`),
    ];
  }
}
