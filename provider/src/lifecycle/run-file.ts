import { createHash } from "node:crypto";
import {
  appendFileSync,
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
import { idKey } from "../values/uuid";

/** How a resource of the program uses an id. */
export interface IdUse {
  /**
   * It `adopts` the id, or `has` it in the stack: only one resource may do so. `imports` is `has` of one that an import brought into the
   * stack. Others may use the id, too, if the program `reads` it with `get`, or `declares` it as an entry of a list.
   */
  readonly use: "adopts" | "has" | "imports" | "reads" | "declares";
  readonly type: string;
  readonly id: string;
  /** See `resourceKey`. A program reads an id without one. */
  readonly key?: string;
  /** The key in the state of a resource that has the id. */
  readonly createdBy?: string | undefined;
}

/** A warning in two parts: what is said of several resources in the same words can be said once. */
export interface Note {
  /** The resource as messages name it. */
  readonly subject: string;
  readonly words: string;
}

/** No run takes longer, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

const warningOf = (reason: string): string =>
  `the provider cannot use the temporary folder (${reason}), in which the provider instances of a run record what they adopt or ` +
  `declare. This run may delete what another provider instance, or a resource that --target or --exclude leaves out, adopts. ` +
  `Set TMPDIR to a writable folder.`;

/** The address of the engine, which it passes last, behind the flags of its own log: these may have addresses, too. */
export const engineAddress = (): string | undefined =>
  process.argv.slice(2).findLast((argument) => /:\d+$/.test(argument));

interface RunFileOptions {
  readonly folder?: string;
  readonly processId?: number;
  /** The file is that of the program, not of a provider instance. */
  readonly isOfProgram?: boolean;
  readonly warn?: (line: string) => void;
  readonly isAlive?: (processId: number) => boolean;
}

/**
 * The file in which a process of a run writes which ids its resources use, and the files of the other processes of the run: each
 * provider instance has a process of its own. The address of the engine identifies the run.
 */
export class RunFile {
  readonly #folder: string;
  readonly #lines = new Set<string>();
  #hasRemovedOld = false;
  #hasWarned = false;

  constructor(
    private readonly engine: string | undefined,
    private readonly options: RunFileOptions = {},
  ) {
    // `userInfo()` throws where the user has no name, as in many containers.
    const name = `pulumi-datapipes-${process.getuid?.() ?? "user"}`;
    this.#folder = path.join(options.folder ?? tmpdir(), name);
  }

  /** Adds an entry. A failure warns, unless every run has such entries: few programs need them. */
  add(entry: IdUse): void {
    const line = lineOf(entry);
    if (this.#lines.has(line)) return;
    this.#withFolder(entry.use !== "has", (folder) => {
      this.#append(folder, line);
      this.#lines.add(line);
    });
  }

  /** Takes an entry back. */
  remove(entry: IdUse): void {
    const line = lineOf(entry);
    if (!this.#lines.delete(line)) return;
    this.#withFolder(false, (folder) => {
      this.#append(folder, REMOVED + line);
    });
  }

  /** The entries of the other provider instances with this id or key. */
  others = (idOrKey: string): readonly IdUse[] => this.#entries(/^\d+$/, idOrKey);

  /** The entries of the program with this id. Its resources are also those that the engine leaves out of the run, and does not check. */
  ofProgram = (id: string): readonly IdUse[] => this.#entries(/^\d+-program$/, id);

  /** Leaves a note to the program. False if the folder cannot be used. */
  addNote(note: Note): boolean {
    const isAdded = this.#withFolder(false, (folder) => {
      this.#append(folder, JSON.stringify(note), NOTES);
      return true;
    });
    return isAdded === true;
  }

  /** The notes of the provider instances of the run. */
  notes = (): readonly Note[] =>
    this.#contents(/^\d+-notes$/).flatMap((content) =>
      content.split("\n").flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as Note] : [])),
    );

  #entries(name: RegExp, idOrKey: string): readonly IdUse[] {
    const text = JSON.stringify(idOrKey);
    return this.#contents(name).flatMap((content) => entriesWith(text, content));
  }

  /** What the other processes of the run have written. Processes of earlier runs with the same address have ended. */
  #contents(name: RegExp): readonly string[] {
    const contents = this.#withFolder(false, (folder) => {
      const names = isYoung(folder) ? readdirSync(folder).filter((each) => name.test(each)) : [];
      const living = names.filter((each) => each !== this.#name && this.#isAlive(each));
      return living.map((each) => readFileSync(path.join(folder, each), "utf8"));
    });
    return contents ?? [];
  }

  /** Whether no other process has taken the id before: several may find one resource at the same time. True if the folder cannot be used. */
  take(id: string): boolean {
    const isTaken = this.#withFolder(true, (folder) => {
      this.#create(folder);
      const file = path.join(folder, `taken-${hashOf(idKey(id))}`);
      try {
        writeFileSync(file, this.#process, { flag: "wx", mode: 0o600 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const owner = readFileSync(file, "utf8");
        // The process that created the file may be about to write its id.
        if (owner === "" || (owner !== this.#process && this.#isAlive(owner))) return true;
        writeFileSync(file, this.#process, { mode: 0o600 });
      }
      return false;
    });
    return isTaken !== true;
  }

  #append(folder: string, line: string, kind = ""): void {
    this.#create(folder);
    appendFileSync(path.join(folder, this.#name + kind), `${line}\n`, { mode: 0o600 });
  }

  /** Uses the folder of the run. A failure only warns, and only if the use is needed. */
  #withFolder<T>(isNeeded: boolean, use: (folder: string) => T): T | undefined {
    if (this.engine === undefined) return undefined;
    try {
      this.#requireOwn();
      return use(path.join(this.#folder, hashOf(this.engine)));
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

  get #process(): string {
    return String(this.options.processId ?? process.pid);
  }

  get #name(): string {
    return this.options.isOfProgram === true ? `${this.#process}-program` : this.#process;
  }

  /** Whether the process lives whose id begins the name of a file. */
  #isAlive = (name: string): boolean => (this.options.isAlive ?? isAlive)(Number.parseInt(name, 10));

  /** Another user of a shared folder may make a folder or a link of the same name at any time, and a clean-up may remove it. */
  #requireOwn(): void {
    const entry = lstatSync(this.#folder, { throwIfNoEntry: false });
    const problem = entry && problemOf(entry);
    if (problem !== undefined) throw new FolderError(`${this.#folder} ${problem}`);
    if (entry !== undefined || !this.#hasRemovedOld) return;
    this.#hasRemovedOld = false;
    this.#warn(`${this.#folder} was removed during the run`);
  }

  /** Creates the folder of the run, and first removes those of old runs. */
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

/** Ends the name of a file with notes. */
const NOTES = "-notes";

/** Begins the line that takes the entry behind it back. */
const REMOVED = "-";

const lineOf = ({ use, type, id, key, createdBy }: IdUse): string =>
  JSON.stringify({ use, type, id: idKey(id), key, createdBy });

/** The entries of a file with a text that have not been taken back. */
function entriesWith(text: string, content: string): readonly IdUse[] {
  if (!content.includes(text)) return [];
  const lines = new Set<string>();
  for (const line of content.split("\n").filter((each) => each.includes(text))) {
    if (line.startsWith(REMOVED)) lines.delete(line.slice(REMOVED.length));
    else if (line.endsWith("}")) lines.add(line);
  }
  return [...lines].map((line) => JSON.parse(line) as IdUse);
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
