import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";

export const cliName = "pulumi";
export const languageHostName = "pulumi-language-nodejs";
/** The script that starts the stock plugin process of dynamic resources. */
export const dynamicPluginName = "pulumi-resource-pulumi-nodejs";

/** The file of a compiled program. */
export function executableIn(directory: string, name: string): string {
  return path.join(directory, process.platform === "win32" ? `${name}.exe` : name);
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** All executables of that name on PATH, in its order. */
export async function onPath(name: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const directories = (env[pathKey(env)] ?? "").split(path.delimiter).filter((entry) => entry !== "");
  const files = [...new Set(directories.map((entry) => executableIn(path.resolve(entry), name)))];
  const present = await Promise.all(files.map(isExecutable));
  return files.filter((_, index) => present[index]);
}

/** The variable's name as this environment spells it: Windows calls it `Path`. */
export function pathKey(env: NodeJS.ProcessEnv): string {
  if (process.platform !== "win32") return "PATH";
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}
