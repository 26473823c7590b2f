import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isNativeError } from "node:util/types";

const pollMilliseconds = 250;
const heartbeatMilliseconds = 5_000;
/** A lock without a heartbeat for this long is free, whether or not its process ended. */
const abandonedAfterMilliseconds = 60_000;

interface Owner {
  pid: number;
  host: string;
  token: string;
}

/**
 * Runs `work` while holding the lock file. The lock saves work and is no guard of correctness: everything made under it
 * is made in a private folder and renamed, so the worst that two holders can do is the same thing twice.
 */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const owner: Owner = { pid: process.pid, host: hostname(), token: randomUUID() };
  const text = JSON.stringify(owner);
  while (!(await take(file, text))) {
    if (!(await removeIfStale(file))) await sleep(pollMilliseconds, undefined, { signal });
  }
  const heartbeat = setInterval(() => void beat(file), heartbeatMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await contentOf(file)) === text) await rm(file, { force: true });
  }
}

export async function isLocked(file: string): Promise<boolean> {
  return (await contentOf(file)) !== undefined && !(await isStale(file));
}

async function take(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function beat(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

/** Removes a stale lock. A second lock protects the new one that may replace it. */
async function removeIfStale(file: string): Promise<boolean> {
  if (!(await isStale(file))) return (await contentOf(file)) === undefined;
  const guard = `${file}.takeover`;
  if (!(await take(guard, ""))) {
    if (await isAbandoned(guard)) await rm(guard, { force: true });
    return false;
  }
  try {
    if (await isStale(file)) await rm(file, { force: true });
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

async function isStale(file: string): Promise<boolean> {
  const text = await contentOf(file);
  if (text === undefined) return false;
  if (await isAbandoned(file)) return true;
  const owner = ownerOf(text);
  return owner?.host === hostname() && !isAlive(owner.pid);
}

async function isAbandoned(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs > abandonedAfterMilliseconds;
}

function ownerOf(text: string): (Partial<Owner> & { pid: number }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const known =
      typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number";
    return known ? (value as Owner) : undefined;
  } catch {
    // Its owner is just writing it.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

function codeOf(error: unknown): unknown {
  return isNativeError(error) && "code" in error ? error.code : undefined;
}
