import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { cliName, dynamicPluginName, onPath, pathKey } from "./executable";

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

/** The npm package of the SDK, which holds the script of the dynamic plugin. */
export function sdkDirectory(): string {
  return path.dirname(require.resolve("@pulumi/pulumi/package.json"));
}
