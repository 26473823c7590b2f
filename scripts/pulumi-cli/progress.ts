import type { WriteStream } from "node:tty";

const tickMilliseconds = 15_000;

/** Takes one line for the user. In a terminal, the next line replaces one that is `passing`. */
export type Report = (line: string, passing?: boolean) => void;

export function reportTo(stream: Pick<WriteStream, "isTTY" | "write">): Report {
  return (line, passing = false) => {
    stream.write(stream.isTTY ? `\r${line}\u001B[K${passing ? "" : "\n"}` : `${line}\n`);
  };
}

export const toStderr = reportTo(process.stderr);

/** Says what is being done when `work` starts, regularly that it is still being done, and at its end how long it took. */
export async function withProgress<T>(
  report: Report,
  what: string,
  work: () => Promise<T>,
  detail: () => string = () => "",
): Promise<T> {
  const stopwatch = startStopwatch();
  const say = (passing: boolean) => {
    report(`${what}: ${stopwatch()}${detail()}`, passing);
  };
  report(what, true);
  const timer = setInterval(say, tickMilliseconds, true);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    say(false);
  }
}

/** Returns a function that returns the time since now, as text. */
export function startStopwatch(): () => string {
  const start = performance.now();
  return () => `${Math.round((performance.now() - start) / 1000)} s`;
}
