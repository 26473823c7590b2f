/**
 * The address of the engine, which it passes last to a plugin, after the flags of its own log: these may have
 * addresses, too.
 */
export const engineAddress = (): string | undefined =>
  process.argv.slice(2).findLast((argument) => /:\d+$/.test(argument));
