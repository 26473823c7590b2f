const A_MINUTE = 60_000;

/** With many runs, a law takes much longer. */
jest.setTimeout(process.env["LAWS_RUNS"] === undefined ? 5 * A_MINUTE : 24 * 60 * A_MINUTE);
