import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { cliName, executableIn, onPath } from "./executable";
import { refusalOf } from "./release";

const TAIL_LINES = 8;
const languageHostName = "pulumi-language-nodejs";

/** The first CLI on PATH that runs Node.js programs. `refuse` gets the reason for each other one. */
export async function findInstalled(env: NodeJS.ProcessEnv, refuse: (reason: string) => void) {
  const binaries = await onPath(cliName, env);
  if (binaries.length === 0) refuse(`no ${cliName} on PATH`);
  for (const binary of binaries) {
    try {
      const version = await versionOf(binary, env);
      await requireLanguageHost(binary, env);
      return { version, binary };
    } catch (error) {
      refuse(`${binary} ${reasonOf(error)}`);
    }
  }
  return undefined;
}

async function versionOf(binary: string, env: NodeJS.ProcessEnv): Promise<string> {
  // The CLI writes a log file per call, and those of this one would fill the user's folder.
  const home = path.join(tmpdir(), "pulumi-version");
  const asked = { ...env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { stdout } = await promisify(execFile)(binary, ["version"], { env: asked }).catch(
    (error: unknown) => {
      throw new Error(`does not run: ${reasonOf(error)}`, { cause: error });
    },
  );
  const version = stdout.trim();
  const refusal = refusalOf(version);
  if (refusal !== undefined) throw new Error(refusal);
  return version.replace(/^v/, "");
}

async function requireLanguageHost(binary: string, env: NodeJS.ProcessEnv): Promise<void> {
  // A CLI is often a link into the folder that holds the rest of it.
  const folders = [path.dirname(binary), path.dirname(await realpath(binary))];
  const isBeside = folders.some((folder) => existsSync(executableIn(folder, languageHostName)));
  if (!isBeside && (await onPath(languageHostName, env)).length === 0)
    throw new Error(`has no ${languageHostName} beside it or on PATH`);
}

/** The last lines that a failed program wrote to stderr, or the message of the error. */
export function reasonOf(error: unknown): string {
  const { stderr = "", message } = error as { stderr?: string; message: string };
  return stderr.trim().split("\n").slice(-TAIL_LINES).join("\n") || message;
}
