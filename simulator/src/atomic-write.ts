import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** After a restart another program can have the process id, so older files are removed. Writing takes milliseconds. */
const MAX_WRITE_MS = 60_000;

/** The target of a symbolic link: a rename would replace the link. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** In the same folder, because a rename works only within one file system; with the process id for `removeLeftovers`. */
const temporaryName = (target: string): string =>
  `${target}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;

/** Keeps the owner, who must be able to read the file after root has written it. */
function keepOwner(descriptor: number, target: string): void {
  try {
    const { uid, gid } = statSync(target);
    fchownSync(descriptor, uid, gid);
  } catch {
    // There is no file yet, or this user may not give files to its owner.
  }
}

/** Writes a file so that it is complete, old or new, even if the process or the machine stops. */
export function writeFileAtomically(file: string, text: string, mode: number): void {
  const target = targetOf(file);
  const temporary = temporaryName(target);
  try {
    const descriptor = openSync(temporary, "wx", mode);
    try {
      keepOwner(descriptor, target);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function isRunning(pid: number): boolean {
  // This process is not writing: the file is from an earlier process with the same id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function isLeftover(path: string, pid: number): boolean {
  const stats = lstatSync(path);
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  return stats.isFile() && isOwn && (!isRunning(pid) || Date.now() - stats.mtimeMs > MAX_WRITE_MS);
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Removes the temporary files of killed processes: files of this user with names of `writeFileAtomically`. */
export function removeLeftovers(file: string): void {
  const target = targetOf(file);
  const prefix = `${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const pid = /^(\d+)-[0-9a-f]{8}\.tmp$/.exec(name.slice(prefix.length))?.[1];
    if (pid === undefined) continue;
    const path = join(dirname(target), name);
    try {
      if (isLeftover(path, Number(pid))) rmSync(path);
    } catch (error) {
      // Another simulator that starts at the same time can have removed it.
      if (!isMissing(error)) throw error;
    }
  }
}
