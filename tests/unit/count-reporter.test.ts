import { spawnSync } from "node:child_process";
import path from "node:path";

const reporter = path.resolve(__dirname, "../jest/count-reporter.js");

/** What a Jest file of results has that the count depends on. */
const file = (numbers: object) => ({
  numPassingTests: 0,
  numFailingTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...numbers,
});

/** The output of a process in which Jest prints more after the run is complete. */
function outputFor(files: object[], config: object = {}): string {
  const program = `
    const Reporter = require(${JSON.stringify(reporter)});
    new Reporter(${JSON.stringify(config)}).onRunComplete(new Set(), { testResults: ${JSON.stringify(files)} });
    console.log("Jest did not exit");`;
  return spawnSync(process.execPath, ["-e", program], { encoding: "utf8" }).stdout;
}

test("the last line counts what passed and what failed", () => {
  const output = outputFor([file({ numPassingTests: 2, numFailingTests: 1 }), file({ numPassingTests: 3 })]);
  expect(output).toMatch(/Jest did not exit\n\n5 passed, 1 failed\n$/);
});

test("skipped tests are counted when there are any", () => {
  const output = outputFor([file({ numPassingTests: 1, numPendingTests: 2, numTodoTests: 1 })]);
  expect(output).toMatch(/\n3 skipped\n1 passed, 0 failed\n$/);
});

describe("the names of skipped tests", () => {
  const files = [
    file({
      numPassingTests: 1,
      numPendingTests: 1,
      testResults: [
        { fullName: "runs", status: "passed" },
        { fullName: "needs a browser", status: "pending" },
      ],
    }),
  ];

  test("are printed before the last line", () => {
    expect(outputFor(files)).toMatch(/\n\nskipped: needs a browser\n1 skipped\n1 passed, 0 failed\n$/);
  });

  test("are left out when the run was asked for other tests by name", () => {
    expect(outputFor(files, { testNamePattern: "runs" })).toMatch(/exit\n\n1 skipped\n1 passed, 0 failed\n$/);
  });
});

test("a file that does not load has failed at least once", () => {
  const output = outputFor([
    file({ testExecError: { message: "cannot find module" }, failureMessage: "cannot find module" }),
    file({ numPassingTests: 4, failureMessage: "afterAll failed" }),
    file({ numFailingTests: 2, failureMessage: "two failed" }),
  ]);
  expect(output).toMatch(/\n4 passed, 4 failed\n$/);
});
