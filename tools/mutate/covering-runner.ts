import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import TestRunner, { type Test, type TestRunnerOptions, type TestWatcher } from "jest-runner";

/** What the run without a mutant found of each test file. */
type Findings = Readonly<Record<string, { readonly names: readonly string[]; readonly duration: number }>>;

const FINDINGS_FILE = ".test-files.json";

/** The file whose test failed last: neighbouring mutants often fail in the same one. */
let lastFailed: string | undefined;

/**
 * Jest's own runner, made for one mutant at a time: of the test files only those that have a test which reaches the mutant,
 * the quickest first, and none after the first that fails. Stryker names the tests but not their files, so Jest would
 * load them all, for every mutant.
 */
export default class CoveringRunner extends TestRunner {
  override async runTests(tests: Test[], watcher: TestWatcher, options: TestRunnerOptions): Promise<void> {
    const { rootDir, testNamePattern } = this._globalConfig;
    const place = join(rootDir, FINDINGS_FILE);
    if (process.env["__STRYKER_ACTIVE_MUTANT__"] === undefined) {
      writeFileSync(place, JSON.stringify(await this.#runAll(tests, watcher, options)));
      return;
    }
    const findings = JSON.parse(readFileSync(place, "utf8")) as Findings;
    const failed = new Set<string>();
    this.on("test-file-failure", ([{ path }]) => {
      failed.add(path);
    });
    this.on("test-file-success", ([{ path }, { numFailingTests, testExecError }]) => {
      if (numFailingTests > 0 || testExecError !== undefined) failed.add(path);
    });
    for (const test of covering(tests, findings, testNamePattern)) {
      await super.runTests([test], watcher, options);
      if (!failed.has(test.path)) continue;
      lastFailed = test.path;
      return;
    }
  }

  async #runAll(tests: Test[], watcher: TestWatcher, options: TestRunnerOptions): Promise<Findings> {
    const findings: Record<string, Findings[string]> = {};
    this.on("test-file-success", ([{ path }, { testResults, perfStats }]) => {
      findings[path] = { names: testResults.map(({ fullName }) => fullName), duration: perfStats.runtime };
    });
    await super.runTests(tests, watcher, options);
    return findings;
  }
}

/** The files with a test of such a name, the likeliest and quickest first. */
function covering(tests: readonly Test[], findings: Findings, pattern = ""): readonly Test[] {
  const isMeant = new RegExp(pattern, "i");
  const rank = ({ path }: Test): number => (path === lastFailed ? -1 : (findings[path]?.duration ?? 0));
  return tests
    .filter(({ path }) => findings[path]?.names.some((name) => isMeant.test(name)))
    .sort((a, b) => rank(a) - rank(b));
}
