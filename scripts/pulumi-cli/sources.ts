import { mkdir } from "node:fs/promises";
import type { CacheFolder, Origin } from "./cache";
import { downloadCli } from "./download";
import { cliName, executableIn } from "./executable";
import { requiredGoVersion, type BuildContext } from "./go";
import { buildCli, moduleOfCli } from "./go-build";
import { findInstalled, reasonOf, versionOf } from "./installed";
import { isLocked, withLock } from "./lock";
import { startStopwatch, withProgress } from "./progress";
import { minimumVersion } from "./release";

/** Where a CLI can come from. */
export type PulumiSource = "path" | Origin;

const nameOf: Record<Origin, string> = { download: "download", go: "Go build" };

export interface Search extends BuildContext {
  folder: CacheFolder;
  /** What was tried in vain, each with its reason. */
  tried: Set<string>;
}

export interface FoundCli {
  version: string;
  binary: string;
  source: PulumiSource;
  /** How it was come by, for the user. */
  how: string;
}

/**
 * Tries the PATH, the cache, a download and a build.
 * @throws Error that lists each with its reason, when none gave a CLI
 */
export async function findCli(search: Search): Promise<FoundCli> {
  const { env, signal, tried } = search;
  const installed = await findInstalled(env, signal, (reason) => tried.add(`PATH: ${reason}`));
  if (installed !== undefined) return { ...installed, source: "path", how: "on PATH" };
  const found = (await findCached(search)) ?? (await provision(search));
  if (found !== undefined) return found;
  const lines = [...tried].map((line) => `  - ${line.replaceAll("\n", "\n      ")}`);
  const goVersion = await requiredGoVersion(moduleOfCli);
  const advice = `Install the Pulumi CLI, ${minimumVersion} or newer, or Go, ${goVersion} or newer, and try again.`;
  throw new Error(["No Pulumi CLI could be provided. Tried:", ...lines, advice].join("\n"));
}

async function findCached({ folder, env, signal, tried }: Search): Promise<FoundCli | undefined> {
  const origin = await folder.origin();
  if (origin === undefined) return undefined;
  try {
    const version = await versionOf(folder.cli, env, signal);
    return { version, binary: folder.cli, source: origin, how: `cached ${nameOf[origin]}` };
  } catch (error) {
    signal.throwIfAborted();
    tried.add(`cache: ${folder.cli} ${reasonOf(error)}`);
    return undefined;
  }
}

async function provision(search: Search): Promise<FoundCli | undefined> {
  const { folder, signal, report } = search;
  await mkdir(folder.directory, { recursive: true });
  const work = () => withLock(folder.lock, signal, () => fill(search));
  if (!(await isLocked(folder.lock))) return work();
  return withProgress(report, "another run is providing the Pulumi CLI, waiting for it", work);
}

async function fill(search: Search): Promise<FoundCli | undefined> {
  const made = await findCached(search);
  if (made !== undefined) return made;
  await search.folder.removeLeftovers();
  return (await fillFrom("download", search)) ?? (await fillFrom("go", search));
}

async function fillFrom(origin: Origin, search: Search): Promise<FoundCli | undefined> {
  const { folder, env, signal, report, tried } = search;
  const stopwatch = startStopwatch();
  try {
    return await folder.staged(async (staging) => {
      const make = origin === "download" ? downloadCli : buildCli;
      const bin = await make(staging, search);
      const version = await versionOf(executableIn(bin, cliName), env, signal);
      await folder.fill(bin, origin);
      return { version, binary: folder.cli, source: origin, how: `${nameOf[origin]}, ${stopwatch()}` };
    });
  } catch (error) {
    signal.throwIfAborted();
    tried.add(`${nameOf[origin]}: ${reasonOf(error)}`);
    report(`${nameOf[origin]} failed: ${reasonOf(error).split("\n")[0] ?? ""}`);
    return undefined;
  }
}
