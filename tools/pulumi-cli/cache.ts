import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { cliName, executableIn, isExecutable, languageHostName } from "./executable";

const stagingPrefix = "staging-";

/** How a cached CLI was made. */
export type Origin = "download" | "go";

/** The folder of one CLI version in the user's cache. */
export class CacheFolder {
  readonly bin: string;
  readonly lock: string;
  readonly #stamp: string;

  constructor(readonly directory: string) {
    this.bin = path.join(directory, "bin");
    this.lock = path.join(directory, "lock");
    this.#stamp = path.join(directory, "origin");
  }

  get cli(): string {
    return executableIn(this.bin, cliName);
  }

  get languageHost(): string {
    return executableIn(this.bin, languageHostName);
  }

  /** What the folder was filled from, or undefined while it is empty or half filled. */
  async origin(): Promise<Origin | undefined> {
    const text = await readFile(this.#stamp, "utf8").catch(() => "");
    const complete = (await isExecutable(this.cli)) && (await isExecutable(this.languageHost));
    return complete && (text === "download" || text === "go") ? text : undefined;
  }

  /** Makes the folder valid: the last thing written to it. */
  async complete(origin: Origin): Promise<void> {
    await this.staged(async (staging) => {
      const file = path.join(staging, "origin");
      await writeFile(file, origin);
      await rename(file, this.#stamp);
    });
  }

  /** Gives `work` a private folder on the same file system, and removes it whatever happens. */
  async staged<T>(work: (staging: string) => Promise<T>): Promise<T> {
    await mkdir(this.bin, { recursive: true });
    const staging = await mkdtemp(path.join(this.directory, stagingPrefix));
    try {
      return await work(staging);
    } finally {
      await rm(staging, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Removes what runs that were killed left behind. To be called by the holder of the lock only. */
  async removeLeftovers(): Promise<void> {
    const names = await readdir(this.directory);
    const leftovers = names.filter((name) => name.startsWith(stagingPrefix));
    await Promise.all(
      leftovers.map((name) => rm(path.join(this.directory, name), { recursive: true, force: true })),
    );
  }

  /** Forgets a CLI that does not run. */
  async clear(): Promise<void> {
    await rm(this.#stamp, { force: true });
    await rm(this.bin, { recursive: true, force: true });
  }
}

export const cacheFolderOf = (
  version: string,
  env: NodeJS.ProcessEnv,
  platform?: NodeJS.Platform,
): CacheFolder => new CacheFolder(path.join(cacheRootOf(env, platform), `pulumi-${version}`));

/** The folder for what tools keep: `DATAPIPES_TOOLS_CACHE`, else where the platform keeps a user's caches. */
export function cacheRootOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const chosen = env["DATAPIPES_TOOLS_CACHE"];
  return chosen ? path.resolve(chosen) : path.join(userCache(env, platform), "pulumi-datapipes");
}

function userCache(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? path.join(homedir(), "AppData", "Local");
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg && path.isAbsolute(xdg)) return xdg;
  return platform === "darwin" ? path.join(homedir(), "Library", "Caches") : path.join(homedir(), ".cache");
}
