/** A failure without the value that it quotes, for tables of refusals; `validation.test.ts` tests the quoted values. */
export const withoutValue = (failure: string): string =>
  failure.replace(/, got (?:a list|an object|a string|"(?:[^"\\]|\\.)*"|[-+.\w]+)$/, "");
