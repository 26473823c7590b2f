/**
 * The ends of what hangs, and nothing else. A test waits for what happens, never for a time: a machine may be ten times slower than ours,
 * and busy.
 */
const MINUTE_MS = 60_000;

/** A test without the CLI. */
export const TEST_MS = 5 * MINUTE_MS;

/** Any test of the tiers with the CLI. */
export const CLI_TEST_MS = 60 * MINUTE_MS;

/** A law, which has a number of runs, as many as `LAWS_RUNS` asks for. */
export const MANY_RUNS_MS = 24 * 60 * MINUTE_MS;

/** A process: a run of the CLI, a package manager, a compiler, a prompt. */
export const PROCESS_MS = 30 * MINUTE_MS;
