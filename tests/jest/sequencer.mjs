/**
 * Runs the suites that use the Pulumi CLI before all others, and the longest files first: short ones at the end keep all workers busy.
 * JavaScript, because Jest loads it as it is.
 */
import imported from "@jest/test-sequencer";

/** The package declares itself as CommonJS only, and exports the class to ES modules. */
const Sequencer = /** @type {typeof imported.default} */ (/** @type {unknown} */ (imported));

/** @typedef {Parameters<InstanceType<typeof Sequencer>["sort"]>[0]} Tests */

/** Jest knows how long a file takes from the last run alone, which a new clone does not have. */
const LONGEST = [
  "engine/costs",
  "engine/killed",
  "engine/program",
  "engine/second-pipes",
  "examples/deployed",
  "laws/lifecycle/pipes",
  "package/installed",
].map((name) => `/tests/${name}.test.ts`);

const isLong = (/** @type {Tests[number]} */ { path }) =>
  LONGEST.some((end) => path.replaceAll("\\", "/").endsWith(end));

/** Suites that use the CLI provide it first. */
const usesCli = (/** @type {Tests[number]} */ { context }) => Boolean(context.config.globalSetup);

export default class CliFirst extends Sequencer {
  /** @override @param {Tests} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const others = sorted.filter((test) => !isLong(test));
    return [...sorted.filter(isLong), ...others.filter(usesCli), ...others.filter((test) => !usesCli(test))];
  }
}
