/**
 * Ends the output of a run with one line for machines: `12 passed, 0 failed`. Before it come the number and the names of the
 * tests that were skipped, without names if the run was asked for other tests by name.
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
    const names = this.namesSkipped ? skippedNames(files).join("") : "";
    const skippedLine = skipped > 0 ? `${skipped} skipped\n` : "";
    process.once("exit", () => {
      process.stdout.write(`\n${names}${skippedLine}${passed} passed, ${failed} failed\n`);
    });
  }
}

module.exports = CountReporter;
