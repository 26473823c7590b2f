/**
 * Runs the suites that use the Pulumi CLI before all others, and the longest files first: short ones at the end keep all workers busy.
 * JavaScript, because Jest loads it as it is.
 */
import imported from "@jest/test-sequencer";

/** The package declares itself as CommonJS only, and exports the class to ES modules. */
const Sequencer = /** @type {typeof imported.default} */ (/** @type {unknown} */ (imported));

/** @typedef {Parameters<InstanceType<typeof Sequencer>["sort"]>[0]} Tests */

const WITHOUT_CLI = ["unit", "types", "api", "simulator", "plugin", "laws"];

/** Jest knows how long a file takes from the last run alone, which a new clone does not have. */
const LONGEST = /[\\/](?:hosts|installed|matrix|costs|killed|program|deployed|messages|pipes)\.test\.ts$/;

const isLong = (/** @type {Tests[number]} */ { path }) => LONGEST.test(path);

const usesCli = (/** @type {Tests[number]} */ { context }) =>
  !WITHOUT_CLI.includes(context.config.displayName?.name ?? "");

export default class CliFirst extends Sequencer {
  /** @override @param {Tests} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const [long, others] = [sorted.filter(isLong), sorted.filter((test) => !isLong(test))];
    return [...long, ...others.filter(usesCli), ...others.filter((test) => !usesCli(test))];
  }
}
