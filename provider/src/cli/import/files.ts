import { constants, existsSync, lstatSync, statSync } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersFrom } from "../folders";

/** Files could not be written. */
export class FilesError extends Error {
  override readonly name = "FilesError";
}

interface Options {
  /** Whether to replace files and links. What a link names stays as it is. */
  readonly force: boolean;
}

/** Refuses names that are taken, also by links that lead nowhere; with `force`, only those of folders. */
export function requireFree(folder: string, names: readonly string[], { force }: Options): void {
  const files = names.map((name) => path.join(folder, name));
  const found = files.filter((file) => (force ? isFolder(file) : isTaken(file)));
  if (found.length === 0) return;
  const what = found.join(" and ");
  throw new FilesError(
    force
      ? `Nothing was written: a file cannot replace the folder ${what}. Name another folder with --out.`
      : `Nothing was written: ${what} already exist${found.length > 1 ? "" : "s"}. Name another folder with --out, or overwrite with --force.`,
  );
}

/** Where a file cannot be looked at, as in a folder that is a file, writing will say why. */
function isTaken(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

const isFolder = (file: string): boolean => existsSync(file) && statSync(file).isDirectory();

/** Makes the folder and those above it. The recursive `mkdir` of Node.js never ends where a file system refuses folders, as /proc does. */
async function makeFolders(folder: string): Promise<void> {
  for (const each of foldersFrom(path.resolve(folder)).toReversed()) if (!existsSync(each)) await mkdir(each);
}

/** Writes all of the files, or none: each gets its name when all are complete. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  options: Options,
): Promise<void> {
  const temporary = (name: string): string => path.join(folder, `.${name}.${process.pid}.tmp`);
  const taken: string[] = [];
  try {
    await makeFolders(folder);
    for (const [name, text] of Object.entries(files)) await writeFile(temporary(name), text, { flag: "wx" });
    requireFree(folder, Object.keys(files), options);
    for (const name of Object.keys(files)) {
      const file = path.join(folder, name);
      // A file that appeared in between stays as it is.
      await (options.force
        ? rename(temporary(name), file)
        : copyFile(temporary(name), file, constants.COPYFILE_EXCL));
      taken.push(file);
    }
  } catch (error) {
    if (!options.force) await Promise.all(taken.map((file) => rm(file)));
    if (error instanceof FilesError) throw error;
    throw new FilesError(`The files could not be written to ${folder}: ${(error as Error).message}.`);
  } finally {
    await Promise.allSettled(Object.keys(files).map((name) => rm(temporary(name), { force: true })));
  }
}
