/** The real CLI is slow on small machines; a test that hangs still ends. */
jest.setTimeout(600_000);
