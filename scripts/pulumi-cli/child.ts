import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const killAfterMilliseconds = 10_000;
const tailLines = 8;
const onWindows = process.platform === "win32";

export interface ChildOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Ends the child and everything it started. */
  signal?: AbortSignal;
  /** Called for each line of the child's stderr. */
  onLine?: (line: string) => void;
}

/**
 * Runs a program to its end and returns its stdout. Fails when it cannot be started, exits with another code than 0
 * (the message is then the last lines of stderr, or else stdout), or is aborted.
 */
export async function runChild(command: string, args: readonly string[], options: ChildOptions = {}) {
  options.signal?.throwIfAborted();
  // A process group of its own, so that the compilers and downloaders that the child starts can be ended with it.
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    detached: !onWindows,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  const tail: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  createInterface(child.stderr).on("line", (line) => {
    options.onLine?.(line);
    if (line.trim() !== "") tail.push(line.trim());
    if (tail.length > tailLines) tail.shift();
  });
  const code = await ended(child, options.signal, () => {
    endGroup(child, "SIGTERM");
  });
  options.signal?.throwIfAborted();
  if (code !== 0) throw new Error(tail.join("\n") || stdout.trim() || `exit code ${code ?? "unknown"}`);
  return stdout;
}

/** The exit code of a child that leads a process group. An abort asks it to stop, and ends what is left of the group. */
export async function ended(
  child: ChildProcess,
  signal: AbortSignal | undefined,
  askToStop: () => void,
): Promise<number | null> {
  let hardKill: NodeJS.Timeout | undefined;
  const onAbort = () => {
    askToStop();
    hardKill = setTimeout(() => {
      endGroup(child, "SIGKILL");
    }, killAfterMilliseconds);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code;
  } finally {
    clearTimeout(hardKill);
    signal?.removeEventListener("abort", onAbort);
    if (signal?.aborted === true) endGroup(child, "SIGKILL");
  }
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (onWindows) {
    spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
