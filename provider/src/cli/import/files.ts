import { existsSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersFrom } from "../folders";

/** Files could not be written. */
export class FilesError extends Error {
  override readonly name = "FilesError";
}

/** Refuses files that exist. */
export function requireAbsent(folder: string, names: readonly string[]): void {
  const existing = names.map((name) => path.join(folder, name)).filter((file) => existsSync(file));
  if (existing.length > 0)
    throw new FilesError(
      `Nothing was written: ${existing.join(" and ")} already exist${existing.length === 1 ? "s" : ""}. Name another folder with --out, or overwrite with --force.`,
    );
}

/** A file cannot take the name of a folder. If that failed at the second file, the first one would be written alone. */
function requireNoFolder(folder: string, names: readonly string[]): void {
  const found = names
    .map((name) => path.join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory());
  if (found !== undefined)
    throw new FilesError(`Nothing was written: ${found} is a folder. Name another one with --out.`);
}

/** Makes the folder and those above it. The recursive `mkdir` of Node.js never ends where a file system refuses folders, as /proc does. */
async function makeFolders(folder: string): Promise<void> {
  for (const each of foldersFrom(path.resolve(folder)).toReversed()) if (!existsSync(each)) await mkdir(each);
}

/** Writes all of the files, or none: each gets its name when all are complete. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  { force }: { readonly force: boolean },
): Promise<void> {
  const temporary = (name: string): string => path.join(folder, `.${name}.${process.pid}.tmp`);
  const names = Object.keys(files);
  try {
    await makeFolders(folder);
    for (const name of names) await writeFile(temporary(name), files[name] ?? "", { flag: "wx" });
    // A file may have appeared while the pipes were read.
    if (!force) requireAbsent(folder, names);
    requireNoFolder(folder, names);
    for (const name of names) await rename(temporary(name), path.join(folder, name));
  } catch (error) {
    if (error instanceof FilesError) throw error;
    const { message } = error as Error;
    throw new FilesError(`The files could not be written to ${folder}: ${message}.`);
  } finally {
    await Promise.allSettled(names.map((name) => rm(temporary(name), { force: true })));
  }
}
