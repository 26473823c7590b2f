const tickMilliseconds = 15_000;

/** Takes one line for the user. */
export type Report = (line: string) => void;

export const toStderr: Report = (line) => {
  process.stderr.write(`${line}\n`);
};

/** Says what is being done when `work` starts, and from then on regularly that it is still being done. */
export async function withProgress<T>(
  report: Report,
  what: string,
  work: () => Promise<T>,
  detail: () => string = () => "",
): Promise<T> {
  const stopwatch = startStopwatch();
  report(what);
  const timer = setInterval(() => {
    report(`${what}: ${stopwatch()}${detail()}`);
  }, tickMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Returns a function that returns the time since now, as text. */
export function startStopwatch(): () => string {
  const start = performance.now();
  return () => `${Math.round((performance.now() - start) / 1000)} s`;
}
