import { existsSync, lstatSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersFrom } from "../folders";

/** Refuses names that are taken, also by links that lead nowhere; with `force`, only those of folders. */
export function requireFree(folder: string, names: readonly string[], force = false): void {
  const files = names.map((name) => path.join(folder, name));
  const found = files.filter((file) =>
    force ? existsSync(file) && statSync(file).isDirectory() : isTaken(file),
  );
  if (found.length === 0) return;
  const what = found.join(" and ");
  throw new Error(
    force
      ? `Nothing was written: a file cannot replace the folder ${what}. Name another folder with --out.`
      : `Nothing was written: ${what} already exist${found.length > 1 ? "" : "s"}. Name another folder with ` +
          "--out, or overwrite with --force.",
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

/** Makes the folder and those above it. The recursive `mkdir` of Node.js never ends where a file system refuses folders, as /proc does. */
async function makeFolders(folder: string): Promise<void> {
  for (const each of foldersFrom(path.resolve(folder)).toReversed()) if (!existsSync(each)) await mkdir(each);
}

const createFile = (file: string, text: string): Promise<void> => writeFile(file, text, { flag: "wx" });

/** Replaces a file, or a link but not its target, once the new text is on the disk. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await createFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  force = false,
): Promise<void> {
  const fail = ({ message }: Error): never => {
    throw new Error(`The files could not be written to ${folder}: ${message}.`);
  };
  await makeFolders(folder).catch(fail);
  requireFree(folder, Object.keys(files), force);
  const write = force ? replaceFile : createFile;
  for (const [name, text] of Object.entries(files)) await write(path.join(folder, name), text).catch(fail);
}
