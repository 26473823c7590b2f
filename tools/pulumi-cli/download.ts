import { mkdir, readdir, stat, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { CacheFolder } from "./cache";
import { runChild } from "./child";
import { executableIn, cliName, isExecutable, languageHostName } from "./executable";
import { usableVersion } from "./installed";
import { withProgress, type Report } from "./progress";

/** A closed network often swallows packets instead of refusing them: silence for this long is taken for a no. */
const stalledAfterMilliseconds = 30_000;
const deadlineMilliseconds = 15 * 60_000;
const watchMilliseconds = 2_000;

export interface FillContext {
  version: string;
  folder: CacheFolder;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  report: Report;
}

/** Installs a CLI release below `root`, as `bin/pulumi` and its companions. */
export type Install = (
  version: string,
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
) => Promise<void>;

/** Fills the cache folder with the official download. */
export async function fillByDownload(
  { version, folder, env, signal, report }: FillContext,
  install: Install = installOfficially,
): Promise<void> {
  await folder.staged(async (staging) => {
    const root = path.join(staging, "root");
    // What the installer puts into the temporary folder shows that it is getting on, and is removed with the rest.
    const temporary = path.join(staging, "tmp");
    await mkdir(temporary);
    const places = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    await withProgress(report, `downloading pulumi ${version}`, () =>
      whileGrowing(staging, signal, (limited) => install(version, root, { ...env, ...places }, limited)),
    );
    const bin = path.join(root, "bin");
    const got = await usableVersion(executableIn(bin, cliName), env, signal);
    if (got !== version) throw new Error(`version ${got} came instead of ${version}`);
    if (!(await isExecutable(executableIn(bin, languageHostName)))) {
      throw new Error(`the download holds no ${languageHostName}`);
    }
    await rm(folder.bin, { recursive: true, force: true });
    await rename(bin, folder.bin);
  });
}

async function installOfficially(
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
  const limits = new AbortController();
  const start = Date.now();
  let last = { size: 0, at: start };
  const look = async () => {
    const size = await sizeOf(directory);
    const now = Date.now();
    if (size !== last.size) last = { size, at: now };
    if (now - last.at > stalledAfterMilliseconds) {
      limits.abort(new Error(`nothing came for ${stalledAfterMilliseconds / 1000} s`));
    }
    if (now - start > deadlineMilliseconds) {
      limits.abort(new Error(`not finished after ${deadlineMilliseconds / 60_000} minutes`));
    }
  };
  const timer = setInterval(() => void look(), watchMilliseconds);
  try {
    await work(AbortSignal.any([signal, limits.signal]));
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
