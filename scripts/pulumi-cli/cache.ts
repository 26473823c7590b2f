import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { cliName, executableIn } from "./executable";
import { pinnedVersion } from "./release";

const stagingPrefix = "staging-";

/** How a cached CLI was made. */
export type Origin = "download" | "go";

/** The folder of a CLI in the user's cache. */
export class CacheFolder {
  readonly lock: string;
  readonly cli: string;
  readonly #bin: string;
  readonly #stamp: string;

  constructor(readonly directory: string) {
    this.lock = path.join(directory, "lock");
    this.#bin = path.join(directory, "bin");
    this.cli = executableIn(this.#bin, cliName);
    this.#stamp = path.join(directory, "origin");
  }

  /** What the folder was filled from, or undefined while it is empty. */
  async origin(): Promise<Origin | undefined> {
    const text = await readFile(this.#stamp, "utf8").catch(() => "");
    return text === "download" || text === "go" ? text : undefined;
  }

  /** Takes the folder of a finished CLI in, in the place of the one it has. */
  async fill(bin: string, origin: Origin): Promise<void> {
    await rm(this.#bin, { recursive: true, force: true });
    await rename(bin, this.#bin);
    await writeFile(this.#stamp, origin);
  }

  /** Gives `work` a private folder on the same file system, and removes it whatever happens. */
  async staged<T>(work: (staging: string) => Promise<T>): Promise<T> {
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
}

export const cacheFolderOf = (env: NodeJS.ProcessEnv): CacheFolder =>
  new CacheFolder(path.join(cacheRootOf(env), `pulumi-${pinnedVersion}`));

/** The folder for what tools keep: `DATAPIPES_TOOLS_CACHE`, else where the platform keeps a user's caches. */
export function cacheRootOf(env: NodeJS.ProcessEnv): string {
  const chosen = env["DATAPIPES_TOOLS_CACHE"];
  return chosen ? path.resolve(chosen) : path.join(userCache(env), "pulumi-datapipes");
}

function userCache(env: NodeJS.ProcessEnv): string {
  const { platform } = process;
  if (platform === "win32") return env["LOCALAPPDATA"] ?? path.join(homedir(), "AppData", "Local");
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg && path.isAbsolute(xdg)) return xdg;
  return platform === "darwin" ? path.join(homedir(), "Library", "Caches") : path.join(homedir(), ".cache");
}
