import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Names of the browser: Debian's, those of other systems, and Google's build. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium of this machine: the file that `CHROME_PATH` names, else one on PATH; undefined if there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (environment["PATH"] ?? "").split(path.delimiter);
  const named = environment["CHROME_PATH"];
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...candidates].find(isExecutable);
}
