/** What turns a captured stack into text when a program first reads it. Other runtimes than Node have none. */
const errors: { prepareStackTrace?: Format } = Error;

type Format = (error: Error, sites: NodeJS.CallSite[]) => unknown;

/** The function of the SDK that captures a stack for each promise, and reads it at once. */
const READER = "debuggablePromise";

/**
 * Skips the stacks that the SDK captures for the promises of a resource, some 80 while its constructor runs: only the
 * report of `PULUMI_DEBUG_PROMISE_LEAKS` has them. All other errors keep theirs. Returns what ends it, to be called
 * before anything asynchronous runs.
 */
export function skipUnreadStacks(): () => void {
  const format = errors.prepareStackTrace;
  // The SDK takes any text as a yes.
  const areRead = (process.env["PULUMI_DEBUG_PROMISE_LEAKS"] ?? "") !== "";
  if (areRead || format === undefined) return () => undefined;
  const formatRead: Format = (error, sites) =>
    sites[0]?.getFunctionName() === READER ? undefined : format.call(Error, error, sites);
  errors.prepareStackTrace = formatRead;
  return () => {
    // A transformation may have installed its own function, as modules for source maps do.
    if (errors.prepareStackTrace === formatRead) errors.prepareStackTrace = format;
  };
}
