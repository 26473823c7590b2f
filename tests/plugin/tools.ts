import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "../kit/cleanup";

/** A folder for the PATH with the tools that the launcher uses, and nothing else. */
export async function launcherTools(): Promise<string> {
  const folder = await temporaryFolder("path");
  for (const tool of ["sh", "dirname", "readlink"]) {
    const { stdout } = spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" });
    await symlink(stdout.trim(), path.join(folder, tool));
  }
  return folder;
}
