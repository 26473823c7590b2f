import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { runChild } from "./child";
import type { BuildContext } from "./go";
import { withProgress } from "./progress";

/** A closed network often swallows packets instead of refusing them: silence for this long is taken for a no. */
const stalledAfterSeconds = 30;
const watchEveryMilliseconds = 2_000;

/** Installs a CLI release below `root`, as `bin/pulumi` and its companions. */
export type Install = (
  version: string,
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
) => Promise<void>;

/** Downloads the official CLI into a folder below `staging`, and returns that folder. */
export async function downloadCli(
  staging: string,
  { version, env, signal, report }: BuildContext,
  install: Install,
): Promise<string> {
  const root = path.join(staging, "root");
  // What the installer puts into the temporary folder shows that it is getting on, and is removed with the rest.
  const temporary = path.join(staging, "tmp");
  await mkdir(temporary);
  const places = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  await withProgress(report, `downloading pulumi ${version}`, () =>
    whileGrowing(staging, signal, (limited) => install(version, root, { ...env, ...places }, limited)),
  );
  return path.join(root, "bin");
}

export async function installOfficially(
  version: string,
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const worker = path.join(__dirname, "download-worker.ts");
  const args = ["--require", require.resolve("ts-node/register"), worker, version, root];
  await runChild(process.execPath, args, { cwd: __dirname, env, signal });
}

/** Aborts `work` when the folder that it writes to has not grown for a while. */
async function whileGrowing(
  directory: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limiter = new AbortController();
  let last = { size: 0, at: Date.now() };
  const look = async () => {
    const size = await sizeOf(directory);
    const now = Date.now();
    if (size !== last.size) last = { size, at: now };
    if (now - last.at > stalledAfterSeconds * 1000) {
      limiter.abort(new Error(`nothing came for ${stalledAfterSeconds} s`));
    }
  };
  const timer = setInterval(() => void look(), watchEveryMilliseconds);
  try {
    await work(AbortSignal.any([signal, limiter.signal]));
  } finally {
    clearInterval(timer);
  }
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = entries.map((entry) =>
    stat(path.join(directory, entry)).then(
      (status) => status.size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
