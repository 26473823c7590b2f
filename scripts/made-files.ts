import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** The folder that all paths of scripts start from. */
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

/** Writes the files that are not as they should be. */
export async function write(made: readonly MadeFile[]): Promise<void> {
  for (const { path: file, text } of await staleFiles(made)) {
    const target = path.join(repository, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
    process.stdout.write(`${file} written\n`);
  }
}
