import { spawnSync } from "node:child_process";
import path from "node:path";

/** What a file of results has that the counts depend on. */
const file = (numbers: object) => ({
  ...{ numPassingTests: 0, numFailingTests: 0, numPendingTests: 0, numTodoTests: 0 },
  ...{ testFilePath: "tests/unit/a.test.ts", displayName: { name: "unit" }, testResults: [] },
  ...numbers,
});

const skipped = { fullName: "needs more", status: "pending" };
const results = [
  file({ numPassingTests: 2, numPendingTests: 1, testResults: [skipped] }),
  file({ numFailingTests: 1, testResults: [{ fullName: "a (b)", status: "failed" }] }),
  // Files that could not be loaded, or that failed outside their tests.
  file({ testExecError: { message: "cannot find module" }, failureMessage: "cannot find module" }),
  file({ numPassingTests: 4, failureMessage: "afterAll failed" }),
];

test("a run ends with the command that repeats a failed test, the names of skipped tests, and the counts", () => {
  const program = `
    import Reporter from ${JSON.stringify(path.resolve(__dirname, "../jest/summary-reporter.mjs"))};
    new Reporter({ rootDir: "." }).onRunComplete(new Set(), { testResults: ${JSON.stringify(results)} });
    console.log("Jest has more to say");`;
  const args = ["--input-type=module", "-e", program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stdout.split("\n")).toEqual([
    "Jest has more to say",
    "",
    "repeat: npm test -- --selectProjects unit -t '^a \\(b\\)$' -- tests/unit/a.test.ts",
    "skipped: needs more",
    expect.stringContaining("tests ended after"),
    "6 passed, 3 failed",
    "6 passed, 3 failed, 1 skipped",
    "",
  ]);
});
