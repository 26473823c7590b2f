import { constants, existsSync, lstatSync, statSync, type Stats } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersFrom } from "../folders";

/** Files could not be written. */
export class FilesError extends Error {
  override readonly name = "FilesError";
}

/** What `lstat` or `stat` says of a file. Where they fail, as in a folder that cannot be read, writing will say why. */
function statsOf(read: (file: string) => Stats, file: string): Stats | undefined {
  try {
    return read(file);
  } catch {
    return undefined;
  }
}

/** Whether something has this name, also a symbolic link that leads nowhere. */
const isTaken = (file: string): boolean => statsOf(lstatSync, file) !== undefined;

/** Refuses files that exist. */
export function requireAbsent(folder: string, names: readonly string[]): void {
  const existing = names.map((name) => path.join(folder, name)).filter(isTaken);
  if (existing.length > 0)
    throw new FilesError(
      `Nothing was written: ${existing.join(" and ")} already exist${existing.length === 1 ? "s" : ""}. Name another folder with --out, or overwrite with --force.`,
    );
}

/** A file cannot take the name of a folder. If that failed at the second file, the first one would be written alone. */
function requireNoFolder(folder: string, names: readonly string[]): void {
  const found = names
    .map((name) => path.join(folder, name))
    .find((file) => statsOf(statSync, file)?.isDirectory());
  if (found !== undefined)
    throw new FilesError(`Nothing was written: ${found} is a folder. Name another one with --out.`);
}

/** Makes the folder and those above it. The recursive `mkdir` of Node.js never ends where a file system refuses folders, as /proc does. */
async function makeFolders(folder: string): Promise<void> {
  for (const each of foldersFrom(path.resolve(folder)).toReversed()) if (!existsSync(each)) await mkdir(each);
}

/** Takes names that nothing has, all or none; a file that appeared while the pipes were read stays as it is. */
async function takeNames(names: ReadonlyMap<string, string>): Promise<void> {
  const taken: string[] = [];
  try {
    for (const [temporary, file] of names) {
      await copyFile(temporary, file, constants.COPYFILE_EXCL);
      taken.push(file);
    }
  } catch (error) {
    await Promise.all(taken.map((file) => rm(file)));
    throw error;
  }
}

/** Replaces files and links, but not what a link names. */
async function replaceFiles(names: ReadonlyMap<string, string>): Promise<void> {
  for (const [temporary, file] of names) await rename(temporary, file);
}

/** Writes all of the files, or none: each gets its name when all are complete. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  { force }: { readonly force: boolean },
): Promise<void> {
  const names = Object.keys(files);
  const temporary = (name: string): string => path.join(folder, `.${name}.${process.pid}.tmp`);
  const places = new Map(names.map((name) => [temporary(name), path.join(folder, name)]));
  try {
    await makeFolders(folder);
    for (const name of names) await writeFile(temporary(name), files[name] ?? "", { flag: "wx" });
    if (force) requireNoFolder(folder, names);
    await (force ? replaceFiles : takeNames)(places);
  } catch (error) {
    if (!force) requireAbsent(folder, names);
    if (error instanceof FilesError) throw error;
    const { message } = error as Error;
    throw new FilesError(`The files could not be written to ${folder}: ${message}.`);
  } finally {
    await Promise.allSettled(names.map((name) => rm(temporary(name), { force: true })));
  }
}
