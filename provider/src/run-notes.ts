import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** After how long a note is of no use to any run, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** What a user should know when notes cannot be left or read. */
const warningOf = (reason: string): string =>
  `the provider cannot use the temporary folder (${reason}), where the provider instances of a run note what they adopt or ` +
  `declare. What another instance adopts may be deleted with the resource that had it before. Set TMPDIR to a writable folder.`;

/**
 * What the plugin processes of one run tell each other. Each provider instance has a process of its own: the one whose resource is taken
 * out of the program deletes, at the end of the run, what another one may have adopted or declared before. Empty files tell, each named
 * by a hash of the run and the note, and by the process that left it; the address of the engine tells one run from another.
 */
export class RunNotes {
  readonly #folder: string;
  #isTidy = false;
  #hasWarned = false;

  constructor(
    private readonly run: string | undefined = process.argv.slice(2).find((arg) => /:\d+$/.test(arg)),
    private readonly options: {
      readonly folder?: string;
      /** Which of the processes this is. */
      readonly process?: number;
      readonly warn?: (line: string) => void;
    } = {},
  ) {
    // Not by `userInfo()`, which throws where the user has no name, as in many containers.
    const name = `pulumi-datapipes-${process.getuid?.() ?? "user"}`;
    this.#folder = path.join(options.folder ?? tmpdir(), name);
  }

  /** Leaves a note for the other processes of the run. */
  set(note: string): void {
    if (this.run === undefined) return;
    this.#tried(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (!this.#isTidy) this.#removeOld();
      writeFileSync(this.#fileOf(note), "", { mode: 0o600 });
    });
  }

  /** Takes back what this process has left. The same note of another one stays. */
  clear(note: string): void {
    if (this.run === undefined) return;
    this.#tried(() => {
      rmSync(this.#fileOf(note), { force: true });
    });
  }

  /** Whether a process of this run has left the note. */
  has(note: string): boolean {
    if (this.run === undefined) return false;
    const start = this.#nameOf(note);
    const names = this.#tried(() => (existsSync(this.#folder) ? readdirSync(this.#folder) : []));
    return (names ?? []).some((name) => name.startsWith(start) && isYoung(path.join(this.#folder, name)));
  }

  #fileOf(note: string): string {
    return path.join(this.#folder, `${this.#nameOf(note)}${this.options.process ?? process.pid}`);
  }

  #nameOf(note: string): string {
    const hash = createHash("sha256").update(`${this.run ?? ""} ${note.toLowerCase()}`);
    return `${hash.digest("hex")}-`;
  }

  /** Once for each process: a stack may leave many notes. */
  #removeOld(): void {
    this.#isTidy = true;
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (!isYoung(file)) rmSync(file, { force: true });
    }
  }

  /** Notes guard against what few programs do: without them, a run goes on. */
  #tried<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!this.#hasWarned) this.options.warn?.(warningOf(code ?? message));
      this.#hasWarned = true;
      return undefined;
    }
  }
}

function isYoung(file: string): boolean {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < MAX_AGE_MS;
}
