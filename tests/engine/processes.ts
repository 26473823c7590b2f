import { isNative } from "../../testkit/adapter";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The script of the plugin: the stock one that runs dynamic providers, or our own. */
const PLUGIN = isNative
  ? /[\\/]plugin[\\/]dist[\\/]start\.js /
  : /[\\/]cmd[\\/]dynamic-provider[\\/]index\.js /;

/** The script of the native plugin, with the engine's address. */
const NATIVE_PLUGIN = /^\S*node \S*[\\/]plugin[\\/]dist[\\/]start\.js \S/;

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Ends the plugins of the CLI runs that this process has started at once, as a machine without memory does. */
export async function killPlugins(): Promise<number> {
  const plugins = (await descendants(process.pid)).filter(({ command }) => PLUGIN.test(command));
  for (const { pid } of plugins) process.kill(pid, "SIGKILL");
  return plugins.length;
}

/** Presses Ctrl-C in the CLI runs that this process has started. */
export async function interruptRuns(): Promise<void> {
  const runs = (await descendants(process.pid)).filter(({ command }) => /^\S*[\\/]pulumi up /.test(command));
  for (const { pid } of runs) process.kill(pid, "SIGINT");
}

/** The native plugins of the CLI runs that this process has started, each with the CLI that has started it. */
export const nativePlugins = async (): Promise<readonly Listed[]> =>
  (await descendants(process.pid)).filter(({ command }) => NATIVE_PLUGIN.test(command));

async function descendants(ancestor: number): Promise<readonly Listed[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]);
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(
    ([, pid, parent, command = ""]): Listed => ({ pid: Number(pid), parent: Number(parent), command }),
  );
  const below = (parent: number): Listed[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(ancestor);
}
