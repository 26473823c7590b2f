import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import TestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from "jest-runner";

/** The names and the duration of the tests of each file, from the run without a mutant. */
type TestFiles = Readonly<Record<string, { readonly names: readonly string[]; readonly duration: number }>>;

/** The file whose test failed last: neighbouring mutants often fail in the same one. */
let lastFailed: string | undefined;

/**
 * Jest's own runner for one mutant at a time: it runs only the test files with a test that reaches the mutant,
 * the quickest first, and stops at the first failure. Stryker names the tests but not their files, so Jest would
 * load them all, for every mutant.
 */
export default class CoveringRunner extends TestRunner {
  override async runTests(tests: Test[], watcher: TestWatcher, options: TestRunnerOptions): Promise<void> {
    const { rootDir, testNamePattern } = this._globalConfig;
    const file = join(rootDir, ".test-files.json");
    if (process.env["__STRYKER_ACTIVE_MUTANT__"] === undefined) {
      writeFileSync(file, JSON.stringify(await this.#runAll(tests, watcher, options)));
      return;
    }
    const testFiles = JSON.parse(readFileSync(file, "utf8")) as TestFiles;
    const failed = new Set<string>();
    this.on("test-file-failure", ([{ path }]) => {
      failed.add(path);
    });
    this.on("test-file-success", ([{ path }, { numFailingTests, testExecError }]) => {
      if (numFailingTests > 0 || testExecError !== undefined) failed.add(path);
    });
    for (const test of covering(tests, testFiles, testNamePattern)) {
      await super.runTests([test], watcher, options);
      if (!failed.has(test.path)) continue;
      lastFailed = test.path;
      return;
    }
  }

  async #runAll(tests: Test[], watcher: TestWatcher, options: TestRunnerOptions): Promise<TestFiles> {
    const testFiles: Record<string, TestFiles[string]> = {};
    this.on("test-file-success", ([{ path }, { testResults, perfStats }]) => {
      testFiles[path] = { names: testResults.map(({ fullName }) => fullName), duration: perfStats.runtime };
    });
    await super.runTests(tests, watcher, options);
    return testFiles;
  }
}

/** The files with a test whose name matches: first the one that failed last, then the quickest. */
function covering(tests: readonly Test[], testFiles: TestFiles, pattern = ""): readonly Test[] {
  const isSelected = new RegExp(pattern, "i");
  const rank = ({ path }: Test): number => (path === lastFailed ? -1 : (testFiles[path]?.duration ?? 0));
  return tests
    .filter(({ path }) => testFiles[path]?.names.some((name) => isSelected.test(name)))
    .sort((a, b) => rank(a) - rank(b));
}
