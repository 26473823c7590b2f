import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** The folder that all paths of tools start from. */
export const repository = path.resolve(__dirname, "..");

export const textOf = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");

/** A file as it should be. */
export interface MadeFile {
  readonly path: string;
  readonly text: string;
}

/** Those of the files that are not as they should be. */
export async function staleFiles(made: readonly MadeFile[]): Promise<readonly MadeFile[]> {
  const present = await Promise.all(made.map(({ path: file }) => textOf(file).catch(() => undefined)));
  return made.filter(({ text }, index) => text !== present[index]);
}

async function write({ path: file, text }: MadeFile): Promise<void> {
  const target = path.join(repository, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  process.stdout.write(`${file} written\n`);
}

/** Writes the files that are not as they should be; with `--check` it says which. Returns the exit code. */
export async function keep(
  made: readonly MadeFile[],
  { isCheck, command }: { readonly isCheck: boolean; readonly command: string },
): Promise<number> {
  const stale = await staleFiles(made);
  for (const file of stale) {
    if (!isCheck) await write(file);
    else process.stderr.write(`${file.path} is stale: run \`${command}\`\n`);
  }
  return isCheck && stale.length > 0 ? 1 : 0;
}
