/**
 * Runs the suites that use the Pulumi CLI before all others: their tests are the longest, and short ones at the end keep all workers busy.
 * JavaScript, because Jest loads it as it is.
 */
import imported from "@jest/test-sequencer";

/** The package declares itself as CommonJS only, and exports the class to ES modules. */
const Sequencer = /** @type {typeof imported.default} */ (/** @type {unknown} */ (imported));

/** @typedef {Parameters<InstanceType<typeof Sequencer>["sort"]>[0]} Tests */

const WITHOUT_CLI = ["unit", "types", "api", "plugin", "laws"];

const usesCli = (/** @type {Tests[number]} */ { context }) =>
  !WITHOUT_CLI.includes(context.config.displayName?.name ?? "");

export default class CliFirst extends Sequencer {
  /** @override @param {Tests} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(usesCli), ...sorted.filter((test) => !usesCli(test))];
  }
}
