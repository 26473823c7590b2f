import { existsSync } from "node:fs";
import path from "node:path";

/** The folder and all folders above it. */
export function foldersFrom(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}

/** The first file with one of these names, in the folder or in the nearest folder above it. */
export const fileFrom = (folder: string, names: readonly string[]): string | undefined =>
  foldersFrom(folder)
    .flatMap((each) => names.map((name) => path.join(each, name)))
    .find((file) => existsSync(file));
