import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** No run takes longer, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The list of the ids that processes keep: one folder for each of hundreds of pipes would be slow. */
const KEPT = "kept ids";

/** The line that takes the line of an id back. */
const released = (id: string): string => `-${id}`;

const warningOf = (reason: string): string =>
  `the provider cannot use the temporary folder (${reason}), in which the provider instances of a run record what they adopt or ` +
  `declare. This run may delete what another provider instance, or a resource that --target or --exclude leaves out, adopts. ` +
  `Set TMPDIR to a writable folder.`;

/** The address of the engine, which it passes last, behind the flags of its own log: these may have addresses, too. */
export const engineAddress = (): string | undefined =>
  process.argv.slice(2).findLast((argument) => /:\d+$/.test(argument));

/**
 * Flags that the plugin processes of one run share. Each provider instance has a process of its own. The process whose provider
 * manages a pipe or a setting deletes it at the end of the run, unless another process has adopted or declared it before. A flag is
 * a folder in the folder of the run, named by a hash, with a file for each process that has set it. The address of the engine
 * identifies the run.
 */
export class RunFlagFiles {
  readonly #folder: string;
  #hasRemovedOld = false;
  #hasWarned = false;

  constructor(
    private readonly run: string | undefined = engineAddress(),
    private readonly options: {
      readonly folder?: string;
      readonly processId?: number;
      readonly warn?: (line: string) => void;
      readonly isAlive?: (processId: number) => boolean;
    } = {},
  ) {
    // `userInfo()` throws where the user has no name, as in many containers.
    const name = `pulumi-datapipes-${process.getuid?.() ?? "user"}`;
    this.#folder = path.join(options.folder ?? tmpdir(), name);
  }

  /** Sets the flag for all processes of the run. */
  set(flag: string): void {
    this.#withFolder(flag, (folder) => {
      this.#create(folder);
      writeFileSync(this.#fileIn(folder), "", { mode: 0o600 });
    });
  }

  /** Sets the flag, unless another process has set it. Returns whether this process has set it; true if the folder cannot be used. */
  claim(flag: string): boolean {
    const claimed = this.#withFolder(flag, (folder) => {
      this.#create(path.dirname(folder));
      try {
        // Only one process can create the folder.
        mkdirSync(folder, { mode: 0o700 });
        writeFileSync(this.#fileIn(folder), "", { mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        // The process that created the folder may be about to write its file.
        const isOthers = readdirSync(folder).length === 0 || this.#isSetByLiving(folder);
        if (!isOthers) writeFileSync(this.#fileIn(folder), "", { mode: 0o600 });
        return !isOthers || existsSync(this.#fileIn(folder));
      }
    });
    return claimed ?? true;
  }

  /** Clears the flag that this process has set. If another process has set it, too, it stays set. */
  clear(flag: string): void {
    this.#withFolder(flag, (folder) => {
      rmSync(this.#fileIn(folder), { force: true });
    });
  }

  /** Whether a process of this run has set the flag. */
  has(flag: string): boolean {
    return this.#withFolder(flag, (folder) => isYoung(folder) && this.#isSetByLiving(folder)) === true;
  }

  /** Whether a process of this run has a file in the folder. Those of earlier runs with the same address have ended. */
  #isSetByLiving(folder: string): boolean {
    return readdirSync(folder).some((name) => this.#isAlive(Number(name)));
  }

  /** Records that a resource of this process has an id in the stack and in the program, or adopts it. Does not warn: every run does this. */
  keep(id: string): void {
    this.append(KEPT, id.toLowerCase());
  }

  /** Takes `keep` back: the replacement of the resource gives the id up. */
  release(id: string): void {
    this.append(KEPT, released(id.toLowerCase()));
  }

  /** Whether another process of this run has recorded the id, and has not released it. */
  isKeptElsewhere(id: string): boolean {
    const own = path.basename(this.#fileIn(""));
    const lines = [id.toLowerCase(), released(id.toLowerCase())];
    const others = this.#linesByProcess(KEPT, (process) => process !== own);
    return others.some((all) => all.findLast((line) => lines.includes(line)) === lines[0]);
  }

  /** Adds a line to a list of the run. A failure warns only if the line is needed. */
  append(list: string, line: string, isNeeded = false): void {
    const add = (folder: string): void => {
      this.#create(folder);
      appendFileSync(this.#fileIn(folder), `${line}\n`, { mode: 0o600 });
    };
    this.#withFolder(list, add, isNeeded);
  }

  /** The lines that the processes of this run have added to a list. */
  lines(list: string): readonly string[] {
    return this.#linesByProcess(list, () => true).flat();
  }

  #linesByProcess(list: string, isOf: (process: string) => boolean): readonly (readonly string[])[] {
    const read = (folder: string): readonly (readonly string[])[] => {
      if (!isYoung(folder)) return [];
      const files = readdirSync(folder).filter((name) => isOf(name) && this.#isAlive(Number(name)));
      return files.map((name) => readFileSync(path.join(folder, name), "utf8").split("\n"));
    };
    return this.#withFolder(list, read, false) ?? [];
  }

  /** Uses the folder of a flag. A failure only warns: few programs need the flags. */
  #withFolder<T>(flag: string, use: (folder: string) => T, isNeeded = true): T | undefined {
    if (this.run === undefined) return undefined;
    try {
      this.#requireOwn();
      return use(path.join(this.#folder, hashOf(this.run), hashOf(flag)));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (isNeeded || error instanceof FolderError) this.#warn(code ?? message);
      return undefined;
    }
  }

  #warn(reason: string): void {
    if (!this.#hasWarned) this.options.warn?.(warningOf(reason));
    this.#hasWarned = true;
  }

  get #isAlive(): (processId: number) => boolean {
    return this.options.isAlive ?? isAlive;
  }

  #fileIn(folder: string): string {
    return path.join(folder, String(this.options.processId ?? process.pid));
  }

  /** Another user of a shared folder may make a folder or a link of the same name at any time, and a clean-up may remove it. */
  #requireOwn(): void {
    const entry = lstatSync(this.#folder, { throwIfNoEntry: false });
    const problem = entry && problemOf(entry);
    if (problem !== undefined) throw new FolderError(`${this.#folder} ${problem}`);
    if (entry !== undefined || !this.#hasRemovedOld) return;
    this.#hasRemovedOld = false;
    this.#warn(`${this.#folder} was removed during the run`);
  }

  /** Creates a folder of the run, and first removes those of old runs. */
  #create(folder: string): void {
    if (!this.#hasRemovedOld) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#requireOwn();
      this.#hasRemovedOld = true;
      const names = readdirSync(this.#folder).filter((name) => /^[\da-f]{64}$/.test(name));
      const runs = names.map((name) => path.join(this.#folder, name));
      for (const run of runs.filter((each) => !isYoung(each))) rmSync(run, { recursive: true, force: true });
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
}

/** The folder is not this user's alone. */
class FolderError extends Error {}

function problemOf(entry: Stats): string | undefined {
  if (entry.isSymbolicLink()) return "is a symbolic link";
  if (!entry.isDirectory()) return "is not a folder";
  // Windows has neither.
  if (process.getuid === undefined) return undefined;
  if (entry.uid !== process.getuid()) return "belongs to another user";
  return (entry.mode & 0o022) === 0 ? undefined : "can be written to by other users";
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function isYoung(file: string): boolean {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < MAX_AGE_MS;
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
