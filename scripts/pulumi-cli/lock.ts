import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const pollMilliseconds = 250;
const heartbeatMilliseconds = 5_000;
/** A lock without a heartbeat for this long is free: its process has ended. */
const abandonedAfterMilliseconds = 20_000;

/**
 * Runs `work` while holding the lock file. The lock saves work and is no guard of correctness: everything made under it
 * is made in a private folder and renamed, so the worst that two holders can do is the same thing twice.
 */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  while (!(await take(file, token))) {
    if (await isLocked(file)) await sleep(pollMilliseconds, undefined, { signal });
    else await rm(file, { force: true });
  }
  const beat = () => utimes(file, new Date(), new Date()).catch(() => undefined);
  const heartbeat = setInterval(() => void beat(), heartbeatMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readFile(file, "utf8").catch(() => undefined)) === token) await rm(file, { force: true });
  }
}

export async function isLocked(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs < abandonedAfterMilliseconds;
}

async function take(file: string, token: string): Promise<boolean> {
  try {
    await writeFile(file, token, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
