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
import type { Damage } from "./damage";

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

  /** Throws if a damage does not compile. Those of different files are compiled together. */
  async compile(damages: readonly Damage[]): Promise<void> {
    for (let rest = damages; rest.length > 0;) {
      const group = rest.filter(
        ({ file }, index) => rest.findIndex((other) => other.file === file) === index,
      );
      const isOfPlugin = group.some(({ file }) => file.startsWith("plugin/"));
      await this.#damaged(group, async () => {
        await this.#tsc("--build");
        if (isOfPlugin) await this.#tsc("--project", "plugin");
      });
      rest = rest.filter((damage) => !group.includes(damage));
    }
    await this.build();
  }

  /** Does some work while the sources have a damage. */
  damaged<T>(damage: Damage, work: () => Promise<T>): Promise<T> {
    return this.#damaged([damage], work);
  }

  /** The same with several damages, each in a file of its own. */
  async #damaged<T>([damage, ...others]: readonly Damage[], work: () => Promise<T>): Promise<T> {
    if (damage === undefined) return work();
    const file = this.#path(damage.file);
    const text = await readFile(file, "utf8");
    try {
      await writeFile(
        file,
        text.replace(damage.find, () => damage.replace),
      );
      return await this.#damaged(others, work);
    } finally {
      await writeFile(file, text);
    }
  }

  /** Builds all that the tests of every tier load. */
  async build(): Promise<void> {
    await this.#tsc("--build");
    await this.bundle();
  }

  async #tsc(...args: readonly string[]): Promise<void> {
    await this.node(require.resolve("typescript/bin/tsc"), ...args, "--pretty", "false");
  }

  /** Builds what the tests without the CLI load beside the sources: the plugin. */
  async bundle(): Promise<void> {
    await this.node("plugin/build.mjs");
  }

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
