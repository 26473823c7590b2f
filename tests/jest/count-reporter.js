/**
 * Ends the output of a run with one line for machines: `12 passed, 0 failed`, and `, 1 skipped` if any were. Names the
 * tests that were skipped, unless the run was asked for other tests by name.
 * JavaScript, because Jest loads reporters as they are.
 */

/** A file that could not be loaded, or failed outside its tests, failed at least once. */
const failedIn = (/** @type {import("@jest/reporters").TestResult} */ file) => {
  const broken = file.testExecError !== undefined || Boolean(file.failureMessage);
  return Math.max(file.numFailingTests, broken ? 1 : 0);
};

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);

const skippedNames = (/** @type {readonly import("@jest/reporters").TestResult[]} */ files) =>
  files
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === "pending" || status === "todo")
    .map(({ fullName }) => `skipped: ${fullName}\n`);

class CountReporter {
  /** @param {{ testNamePattern?: string }} [config] */
  constructor(config = {}) {
    this.namesSkipped = !config.testNamePattern;
  }

  /** When Jest has said everything else: after the summary, and after what it says of open handles. */
  onRunComplete(/** @type {unknown} */ _, /** @type {import("@jest/reporters").AggregatedResult} */ results) {
    const files = results.testResults;
    const passed = sum(files.map((file) => file.numPassingTests));
    const failed = sum(files.map(failedIn));
    const skipped = sum(files.map((file) => file.numPendingTests + file.numTodoTests));
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    const names = this.namesSkipped ? skippedNames(files).join("") : "";
    process.once("exit", () => {
      process.stdout.write(`\n${names}${line}\n`);
    });
  }
}

module.exports = CountReporter;
