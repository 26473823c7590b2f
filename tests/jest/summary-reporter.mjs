/**
 * Says at the beginning what a run of tests does, and at the end what it has found: the slowest tests, the runs of the Pulumi CLI, the
 * command that repeats each failed test alone, the names of skipped tests, and the counts.
 * JavaScript, because Jest loads reporters as they are.
 *
 * @typedef {import("@jest/reporters").TestResult} TestFile
 * @typedef {TestFile["testResults"][number]} Test
 * @typedef {{ file: TestFile, test: Test }} Entry
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SLOWEST = 20;

/** The environment variable with the file to which the CLI's runs are added, a line each. */
const RUNS_VARIABLE = "DATAPIPES_TEST_RUNS";

/** A file that could not be loaded, or failed outside its tests, failed at least once. */
const failedIn = (/** @type {TestFile} */ file) =>
  Math.max(file.numFailingTests, file.testExecError !== undefined || Boolean(file.failureMessage) ? 1 : 0);

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

/** For a shell: nothing in the name is special there, nor in a regular expression. */
const pattern = (/** @type {string} */ name) =>
  `'^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("'", ".")}$'`;

/** How often each command of the CLI ran, the most frequent first. */
function countsOf(/** @type {string[]} */ lines) {
  const counts = new Map(lines.map((line) => [line, lines.filter((other) => other === line).length]));
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, count]) => `${name} ${count}`).join(", ");
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
  onRunComplete(/** @type {unknown} */ _, /** @type {import("@jest/reporters").AggregatedResult} */ results) {
    const text = [...this.details(results), ...this.counts(results)].join("\n");
    rmSync(this.folder, { recursive: true, force: true });
    process.once("exit", () => {
      process.stdout.write(`\n${text}\n`);
    });
  }

  /** @param {import("@jest/reporters").AggregatedResult} results */
  details({ testResults: files }) {
    const tests = files.flatMap((file) => file.testResults.map((test) => ({ file, test })));
    const ofStatus = (/** @type {string[]} */ ...statuses) =>
      tests.filter(({ test }) => statuses.includes(test.status));
    const skipped = this.namesSkipped ? ofStatus("pending", "todo") : [];
    return [
      ...this.slowest(tests),
      ...this.runs(),
      ...ofStatus("failed").map((entry) => `repeat: ${this.repeat(entry)}`),
      ...skipped.map(({ test }) => `skipped: ${test.fullName}`),
    ];
  }

  /** @param {readonly Entry[]} tests */
  slowest(tests) {
    const timed = tests.filter(({ test }) => (test.duration ?? 0) >= 1000);
    const slowest = timed.sort((a, b) => (b.test.duration ?? 0) - (a.test.duration ?? 0)).slice(0, SLOWEST);
    return slowest.map(
      (entry) =>
        `${seconds(entry.test.duration ?? 0).padStart(7)}  ${this.nameOf(entry.file)}: ${entry.test.fullName}`,
    );
  }

  runs() {
    try {
      const lines = readFileSync(path.join(this.folder, "runs"), "utf8").trim().split("\n");
      return [`${lines.length} runs of the Pulumi CLI: ${countsOf(lines)}`];
    } catch {
      return [];
    }
  }

  /** @param {TestFile} file */
  nameOf({ testFilePath }) {
    return path.relative(this.rootDir, testFilePath);
  }

  /** @param {Entry} entry */
  repeat({ file, test }) {
    const project = file.displayName?.name ?? "";
    return `${this.command} -- --selectProjects ${project} -t ${pattern(test.fullName)} -- ${this.nameOf(file)}`;
  }

  /** @param {import("@jest/reporters").AggregatedResult} results */
  counts({ testResults: files, startTime }) {
    const passed = sum(files.map((file) => file.numPassingTests));
    const failed = sum(files.map(failedIn));
    const skipped = sum(files.map((file) => file.numPendingTests + file.numTodoTests));
    const counted = `${passed} passed, ${failed} failed`;
    // The line in between is for machines.
    return [
      `tests ended after ${seconds(Date.now() - startTime)}`,
      counted,
      `${counted}, ${skipped} skipped`,
    ];
  }
}
