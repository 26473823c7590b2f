import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isNative } from "../../testkit/adapter";

/** The script of the plugin: the stock one that runs dynamic providers, or our own. */
const PLUGIN = isNative
  ? /[\\/]plugin[\\/]dist[\\/]start\.js /
  : /[\\/]cmd[\\/]dynamic-provider[\\/]index\.js /;

/** Ends the plugins of the CLI runs that this process has started at once, as a machine without memory does. */
export const killPlugins = (): Promise<number> => signal(PLUGIN, "SIGKILL");

/** Presses Ctrl-C in the CLI runs that this process has started. */
export const interruptRuns = (): Promise<number> => signal(/^\S*[\\/]pulumi up /, "SIGINT");

/** Sends a signal to the descendants of this process with such a command, and returns their number. */
async function signal(command: RegExp, name: "SIGKILL" | "SIGINT"): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]);
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = ""]) => ({
    ...{ pid: Number(pid), parent: Number(parent), args },
  }));
  const below = (pid: number): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  const found = below(process.pid).filter(({ args }) => command.test(args));
  for (const { pid } of found) process.kill(pid, name);
  return found.length;
}
