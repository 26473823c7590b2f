const A_MINUTE = 60_000;

/** A longer run, which somebody asked for, takes as long as it takes. */
jest.setTimeout(process.env["LAWS_RUNS"] === undefined ? 5 * A_MINUTE : 24 * 60 * A_MINUTE);
