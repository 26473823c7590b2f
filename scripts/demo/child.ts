import { spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";

const killAfterMilliseconds = 10_000;
const onWindows = process.platform === "win32";

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
