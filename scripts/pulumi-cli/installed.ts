import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isNativeError } from "node:util/types";
import { runChild } from "./child";
import { cliName, executableIn, isExecutable, languageHostName, onPath } from "./executable";
import { refusalOf } from "./release";

/** A busy machine takes long to start a program of 100 MB, and to build another one takes longer. */
const versionTimeoutMilliseconds = 120_000;

export interface InstalledCli {
  version: string;
  binary: string;
}

/** The first usable CLI on PATH. `refuse` gets each unusable one with the reason. */
export async function findInstalled(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  refuse: (reason: string) => void,
): Promise<InstalledCli | undefined> {
  const binaries = await onPath(cliName, env);
  if (binaries.length === 0) refuse(`no ${cliName} on PATH`);
  for (const binary of binaries) {
    try {
      return { version: await versionOf(binary, env, signal), binary };
    } catch (error) {
      signal.throwIfAborted();
      refuse(`${binary} ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/** The version of a CLI that runs Node.js programs; throws the reason when it cannot be used. */
export async function versionOf(
  binary: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const text = await askVersion(binary, env, signal).catch((error: unknown) => {
    throw new Error(`does not run: ${reasonOf(error)}`, { cause: error });
  });
  const version = text.trim();
  const refusal = refusalOf(version);
  if (refusal !== undefined) throw new Error(refusal);
  await requireLanguageHost(binary, env);
  return version.replace(/^v/, "");
}

async function askVersion(binary: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  // A home of its own: the CLI writes a log file per call, and those of questions would fill the user's.
  const home = await mkdtemp(path.join(tmpdir(), "pulumi-home-"));
  try {
    return await runChild(binary, ["version"], {
      env: { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(versionTimeoutMilliseconds)]),
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function requireLanguageHost(binary: string, env: NodeJS.ProcessEnv): Promise<void> {
  // A CLI is often a link into the folder that holds the rest of it.
  const folders = [path.dirname(binary), path.dirname(await realpath(binary))];
  const beside = await Promise.all(
    folders.map((folder) => isExecutable(executableIn(folder, languageHostName))),
  );
  if (beside.includes(true) || (await onPath(languageHostName, env)).length > 0) return;
  throw new Error(`has no ${languageHostName} beside it or on PATH`);
}

export function reasonOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}
