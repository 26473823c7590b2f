import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runChild } from "../pulumi-cli/child";
import { damaged, defectOf, partOf, type Damage } from "./damage";

/** The repository whose tests are tried. */
export const REPOSITORY = path.resolve(__dirname, "../..");

/** A copy of the repository, with all changes that are not committed, in a temporary folder. */
export class Copy {
  readonly root: string;
  /** What Jest keeps between its runs. */
  readonly cache: string;

  private constructor(
    folder: string,
    private readonly signal: AbortSignal,
  ) {
    this.root = path.join(folder, "repository");
    this.cache = path.join(folder, "cache");
  }

  /** Runs some work on a copy, which is removed afterwards, also after Ctrl-C. */
  static async use<T>(signal: AbortSignal, work: (copy: Copy) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(path.join(tmpdir(), "datapipes-damages-"));
    try {
      const copy = new Copy(folder, signal);
      await copy.#fill();
      return await work(copy);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async #fill(): Promise<void> {
    const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const files = (await runChild("git", listed, { cwd: REPOSITORY })).split("\0");
    for (const file of files.filter((name) => name !== "" && existsSync(path.join(REPOSITORY, name)))) {
      await mkdir(path.dirname(this.#path(file)), { recursive: true });
      await copyFile(path.join(REPOSITORY, file), this.#path(file));
    }
    const packages = [".", "provider", "plugin", "simulator"].map((folder) =>
      path.join(folder, "node_modules"),
    );
    for (const folder of packages.filter((name) => existsSync(path.join(REPOSITORY, name))))
      link(path.join(REPOSITORY, folder), this.#path(folder));
    // Tests ask git for the documents.
    await this.#run("git", ["init", "--quiet"]);
    await this.#run("git", ["add", "--all"]);
  }

  /** Plants a damage, builds what it is a part of, and does some work with it. Throws if the damaged code does not compile. */
  async damaged<T>(damage: Damage, work: () => Promise<T>): Promise<T> {
    const file = this.#path(damage.file);
    const text = await readFile(file, "utf8");
    const defect = defectOf(damage, text);
    if (defect !== undefined) throw new Error(defect);
    await writeFile(file, damaged(damage, text));
    try {
      await this.build(partOf(damage));
      return await work();
    } finally {
      await writeFile(file, text);
    }
  }

  /** What the tests of every tier build first. */
  async build(part?: string): Promise<void> {
    const tsc = require.resolve("typescript/bin/tsc");
    await this.node(tsc, "--build");
    if (part !== "provider" && part !== "simulator") await this.node(tsc, "--project", "plugin");
    if (part !== "simulator") await this.node("plugin/build.mjs");
  }

  /** Throws if the user has stopped the command. */
  throwIfInterrupted(): void {
    this.signal.throwIfAborted();
  }

  /** Runs Node in the copy. */
  node(...args: readonly string[]): Promise<string> {
    return this.#run(process.execPath, args);
  }

  #run(command: string, args: readonly string[]): Promise<string> {
    const env = { ...process.env, FORCE_COLOR: "0" };
    return runChild(command, args, { cwd: this.root, env, signal: this.signal });
  }

  readonly #path = (file: string): string => path.join(this.root, file);
}

/** A folder of packages whose files are links; the links of workspaces lead into the copy, because they are relative. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkFile(source, target);
    else if (entry.name !== ".cache") link(source, target);
  }
}

/** The temporary folder may be on another disk. */
function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    copyFileSync(source, target);
  }
}
