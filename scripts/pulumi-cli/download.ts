import path from "node:path";
import { runChild } from "./child";
import { onPath } from "./executable";
import type { BuildContext } from "./go";
import { withProgress } from "./progress";

const ADDRESS = "https://get.pulumi.com";

/** A closed network often swallows packets instead of refusing them. */
const ANSWER_SECONDS = 10;

/** Downloads the official CLI into a folder below `staging`, and returns that folder. */
export async function downloadCli(staging: string, context: BuildContext): Promise<string> {
  const { version, env, signal, report } = context;
  const root = path.join(staging, "root");
  await withProgress(report, `downloading pulumi ${version}`, async () => {
    await requireAnswer(context);
    const worker = path.join(__dirname, "download-worker.ts");
    const args = ["--require", require.resolve("ts-node/register"), worker, version, root];
    await runChild(process.execPath, args, { cwd: __dirname, env, signal });
  });
  return path.join(root, "bin");
}

/** Asks with the program that the installer downloads with, and so with the same proxy. */
async function requireAnswer({ env, signal }: BuildContext): Promise<void> {
  const [curl] = await onPath("curl", env);
  if (curl === undefined) throw new Error("no curl on PATH");
  const args = ["--silent", "--show-error", "--head", "--max-time", String(ANSWER_SECONDS), ADDRESS];
  await runChild(curl, args, { env, signal });
}
