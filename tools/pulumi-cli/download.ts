import { mkdir, readdir, stat, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { CacheFolder } from "./cache";
import { runChild } from "./child";
import { executableIn, cliName, isExecutable, languageHostName } from "./executable";
import type { BuildContext } from "./go";
import { usableVersion } from "./installed";
import { withProgress } from "./progress";

const limits = {
  /** A closed network often swallows packets instead of refusing them: silence for this long is taken for a no. */
  stalledAfterSeconds: 30,
  deadlineSeconds: 15 * 60,
  watchEverySeconds: 2,
};

export interface FillContext extends BuildContext {
  folder: CacheFolder;
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
  const limiter = new AbortController();
  const start = Date.now();
  let last = { size: 0, at: start };
  const look = async () => {
    const size = await sizeOf(directory);
    const now = Date.now();
    if (size !== last.size) last = { size, at: now };
    const { stalledAfterSeconds, deadlineSeconds } = limits;
    if (now - last.at > stalledAfterSeconds * 1000) {
      limiter.abort(new Error(`nothing came for ${stalledAfterSeconds} s`));
    } else if (now - start > deadlineSeconds * 1000) {
      limiter.abort(new Error(`not finished after ${deadlineSeconds} s`));
    }
  };
  const timer = setInterval(() => void look(), limits.watchEverySeconds * 1000);
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
