/** A failure without what it says was given, for tables of what is refused; `given-values.test.ts` tests that part. */
export const withoutGiven = (failure: string): string =>
  failure.replace(/, got (?:a list|an object|a string|"(?:[^"\\]|\\.)*"|[-+.\w]+)$/, "");
