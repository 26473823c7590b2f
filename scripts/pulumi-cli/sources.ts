import { mkdir } from "node:fs/promises";
import type { CacheFolder, Origin } from "./cache";
import { downloadCli, installOfficially, type Install } from "./download";
import { cliName, executableIn } from "./executable";
import { requiredGoVersion, type BuildContext } from "./go";
import { buildCli, moduleOfCli } from "./go-build";
import { findInstalled, reasonOf, versionOf } from "./installed";
import { isLocked, withLock } from "./lock";
import { startStopwatch, withProgress } from "./progress";
import { minimumVersion } from "./release";

/** Where a CLI can come from, in the order in which they are tried. */
const allSources = ["path", "download", "go"] as const;
export type PulumiSource = (typeof allSources)[number];

const nameOf: Record<Origin, string> = { download: "download", go: "Go build" };

export interface Search extends BuildContext {
  folder: CacheFolder;
  sources: readonly PulumiSource[];
  install?: Install | undefined;
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

/** No source gave a CLI; the message lists each one with its reason. */
export class PulumiUnavailableError extends Error {
  override readonly name = "PulumiUnavailableError";

  constructor(
    readonly tried: readonly string[],
    goVersion: string,
  ) {
    const lines = tried.map((line) => `  - ${line.replaceAll("\n", "\n      ")}`);
    const advice = `Install the Pulumi CLI, ${minimumVersion} or newer, or Go, ${goVersion} or newer, and try again.`;
    super(["No Pulumi CLI could be provided. Tried:", ...lines, advice].join("\n"));
  }
}

/** The sources that the variable `DATAPIPES_PULUMI_SOURCES` allows, such as `path,go`. */
export function sourcesIn(env: NodeJS.ProcessEnv): readonly PulumiSource[] {
  const names = (env["DATAPIPES_PULUMI_SOURCES"] ?? "").split(",").map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  const unknown = given.filter((name) => !allSources.some((source) => source === name));
  if (unknown.length > 0) {
    throw new Error(
      `DATAPIPES_PULUMI_SOURCES contains "${unknown.join(",")}"; expected some of ${allSources.join(", ")}`,
    );
  }
  return given.length === 0 ? allSources : allSources.filter((source) => given.includes(source));
}

/** Tries the sources in their order; what the cache holds of a source counts as that source. */
export async function findCli(search: Search): Promise<FoundCli> {
  const { env, signal, sources, tried } = search;
  if (sources.includes("path")) {
    const installed = await findInstalled(env, signal, (reason) => tried.add(`PATH: ${reason}`));
    if (installed !== undefined) return { ...installed, source: "path", how: "on PATH" };
  }
  const found = (await findCached(search)) ?? (await provision(search));
  if (found !== undefined) return found;
  throw new PulumiUnavailableError([...tried], await requiredGoVersion(moduleOfCli));
}

async function findCached({ folder, sources, env, signal, tried }: Search): Promise<FoundCli | undefined> {
  const origin = await folder.origin();
  if (origin === undefined || !sources.includes(origin)) return undefined;
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
  const { folder, signal, report, sources } = search;
  if (!sources.includes("download") && !sources.includes("go")) return undefined;
  await mkdir(folder.directory, { recursive: true });
  const work = () => withLock(folder.lock, signal, () => fill(search));
  if (!(await isLocked(folder.lock))) return work();
  return withProgress(report, "another run is providing the Pulumi CLI, waiting for it", work);
}

async function fill(search: Search): Promise<FoundCli | undefined> {
  const { folder, sources } = search;
  const made = await findCached(search);
  if (made !== undefined) return made;
  await folder.removeLeftovers();
  for (const origin of ["download", "go"] as const) {
    const found = sources.includes(origin) ? await fillFrom(origin, search) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

async function fillFrom(origin: Origin, search: Search): Promise<FoundCli | undefined> {
  const { folder, env, signal, report, tried, install = installOfficially } = search;
  const stopwatch = startStopwatch();
  try {
    return await folder.staged(async (staging) => {
      const bin =
        origin === "download" ? await downloadCli(staging, search, install) : await buildCli(staging, search);
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
