import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../../testkit/folder";

/** A folder with one file, as a copied pipeline. */
export async function folderWith(name: string, text: string): Promise<string> {
  const folder = await temporaryFolder("pipeline");
  await writeFile(path.join(folder, name), text);
  return folder;
}

/** Runs a command, and returns its code and all that it prints. */
export const run = (
  file: string,
  args: readonly string[],
  cwd: string,
  env = process.env,
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (child.exitCode ?? -1), output: stdout + stderr });
    });
  });
