import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** After how long a note is of no use to any run, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * What the plugin processes of one run tell each other. Each provider instance has a process of its own: the one whose resource is taken
 * out of the program deletes, at the end of the run, what another one may have adopted or declared before. Empty files, named by a
 * hash of the run and the note, tell; the address of the engine tells one run from another.
 */
export class RunNotes {
  readonly #folder: string;
  #isTidy = false;

  constructor(
    private readonly run: string | undefined = process.argv.slice(2).find((arg) => /:\d+$/.test(arg)),
    folder = tmpdir(),
  ) {
    // Not by `userInfo()`, which throws where the user has no name, as in many containers.
    this.#folder = path.join(folder, `pulumi-datapipes-${process.getuid?.() ?? "user"}`);
  }

  /** Leaves a note for the other processes of the run. */
  leave(note: string): void {
    if (this.run === undefined) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!this.#isTidy) this.#removeOld();
    writeFileSync(this.#fileOf(note), "", { mode: 0o600 });
  }

  /** Takes a note back. */
  withdraw(note: string): void {
    if (this.run !== undefined) rmSync(this.#fileOf(note), { force: true });
  }

  /** Whether a process of this run has left the note. */
  has(note: string): boolean {
    return this.run !== undefined && isYoung(this.#fileOf(note));
  }

  #fileOf(note: string): string {
    const hash = createHash("sha256").update(`${this.run ?? ""} ${note.toLowerCase()}`);
    return path.join(this.#folder, hash.digest("hex"));
  }

  /** Once for each process: a stack may leave many notes. */
  #removeOld(): void {
    this.#isTidy = true;
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (!isYoung(file)) rmSync(file, { force: true });
    }
  }
}

function isYoung(file: string): boolean {
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < MAX_AGE_MS;
}
