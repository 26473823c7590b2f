import { spawnSync } from "node:child_process";
import path from "node:path";

/** Runs `pulumi-datapipes summary` with what the Pulumi CLI printed as JSON. */
export function summary(json: string, ...args: readonly string[]) {
  const command = [path.resolve("provider/bin/datapipes.js"), "summary", ...args];
  const options = { input: json, encoding: "utf8" } as const;
  const { status: code, stdout, stderr } = spawnSync(process.execPath, command, options);
  return { code, stdout, stderr };
}
