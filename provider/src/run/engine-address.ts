/** The address of the engine, which it passes last: its flags before may have addresses, too. */
export const engineAddress = (): string | undefined =>
  process.argv.slice(2).findLast((argument) => /:\d+$/.test(argument));
