import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";

const REPORTER = pathToFileURL(path.join(__dirname, "../jest/summary-reporter.mjs")).href;

const resultOf = (status: string, fullName: string) => ({ status, fullName, duration: 2_000 });

/** The results of a file, as Jest passes them to reporters. */
const file = (name: string, tests: readonly object[], [passed = 0, failed = 0, skipped = 0], more = {}) => ({
  testFilePath: path.join("/repository/tests", name),
  displayName: { name: "unit" },
  testResults: tests,
  numPassingTests: passed,
  numFailingTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
  ...more,
});

/** What the reporter prints at the end of a run with these results, line by line. */
function printedFor(testResults: readonly object[]): readonly string[] {
  const results = JSON.stringify({ testResults, startTime: Date.now() });
  const program = `
    import SummaryReporter from ${JSON.stringify(REPORTER)};
    new SummaryReporter({ rootDir: "/repository" }).onRunComplete(undefined, ${results});`;
  const args = ["--input-type=module", "--eval", program];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
}

const passing = file("a.test.ts", [resultOf("passed", "adds")], [1]);

test("the last lines of a failed run name each failed test, directly above the counts", () => {
  const failing = file(
    "b.test.ts",
    [resultOf("failed", "of b keeps it"), resultOf("pending", "skips")],
    [0, 1, 1],
  );
  const unloadable = file("c.test.ts", [], [], { testExecError: { message: "no such module" } });
  const afterwards = file("d.test.ts", [resultOf("passed", "works")], [1], {
    failureMessage: "afterAll threw",
  });
  const printed = printedFor([failing, passing, unloadable, afterwards]);
  expect(printed.slice(-5)).toEqual([
    "failed: tests/b.test.ts: of b keeps it",
    "failed: tests/c.test.ts: outside of its tests",
    "failed: tests/d.test.ts: outside of its tests",
    "2 passed, 3 failed",
    "2 passed, 3 failed, 1 skipped",
  ]);
  expect(printed.slice(0, -5)).toContain("skipped: skips");
});

test("a run without failures ends with its duration and the counts", () => {
  const [duration, ...counts] = printedFor([passing]).slice(-3);
  expect(duration).toMatch(/^tests ended after /);
  expect(counts).toEqual(["1 passed, 0 failed", "1 passed, 0 failed, 0 skipped"]);
});
