import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import which from "which";

export const cliName = "pulumi";

/** The script that starts the stock plugin process of dynamic resources. */
export const dynamicPluginName = "pulumi-resource-pulumi-nodejs";

/** The npm package of the SDK, which holds this script. */
export const sdkDirectory = (): string => path.dirname(require.resolve("@pulumi/pulumi/package.json"));

/** The file of a compiled program. */
export const executableIn = (directory: string, name: string): string =>
  path.join(directory, process.platform === "win32" ? `${name}.exe` : name);

/** All executables of that name on PATH, in its order. */
export const onPath = async (name: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> =>
  (await which(name, { all: true, nothrow: true, path: env[pathKey(env)] ?? "" })) ?? [];

/** The variable's name as this environment spells it: Windows calls it `Path`. */
export function pathKey(env: NodeJS.ProcessEnv): string {
  if (process.platform !== "win32") return "PATH";
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}

/** The folders that PATH lacks for `pulumi` to mean this CLI and for the CLI to find its companions. */
export async function requiredDirectories(binary: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const directories: string[] = [];
  // A CLI that PATH finds anyway keeps its place: its folder may hold much else, another Node.js for one.
  if ((await onPath(cliName, env))[0] !== binary) directories.push(path.dirname(binary));
  // The CLI takes the script from its own folder; one on PATH would win, with a warning at each run.
  const carried = path.join(path.dirname(await realpath(binary)), dynamicPluginName);
  if (!existsSync(carried) && !existsSync(`${carried}.cmd`)) directories.push(sdkDirectory());
  return directories;
}

export function environmentFor(directories: readonly string[], base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const key = pathKey(base);
  const entries = [...directories, base[key] ?? ""].filter((entry) => entry !== "");
  return { ...base, [key]: entries.join(path.delimiter), PULUMI_SKIP_UPDATE_CHECK: "true" };
}
