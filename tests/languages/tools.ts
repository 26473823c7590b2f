/** Defines tests that need tools of this machine. Without them, the tests are skipped, and their names say why. */
export const testWith =
  (tools: string, areFound: boolean) =>
  (name: string, work: () => Promise<void>): void => {
    if (areFound) test(name, work);
    else test.skip(`${name} (needs ${tools}: not found)`, work);
  };
