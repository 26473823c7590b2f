import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A process, with its command line. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** The processes that a process has started, and those that they have started. */
export async function descendants(ancestor: number): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]);
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = ""]) => ({
    ...{ pid: Number(pid), parent: Number(parent), args },
  }));
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(ancestor);
}
