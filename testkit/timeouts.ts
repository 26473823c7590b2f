/** What hangs still ends, and nothing else: a machine may be ten times slower than ours, and busy. */
const MINUTE_MS = 60_000;

/** A test without the CLI. */
export const TEST_MS = 5 * MINUTE_MS;
