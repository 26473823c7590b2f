import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { packageFolders, repositoryUrl, root } from "./address";

export const publishedFolders = packageFolders.filter((folder) => folder !== ".");

function nameAndVersion(folder: string): string {
  const { name, version } = JSON.parse(
    readFileSync(path.join(root, folder, "package.json"), "utf8"),
  ) as Record<string, string>;
  return `${name ?? ""}@${version ?? ""}`;
}

/** Whether the registry has a package in the version of this commit. */
export const isPublished = (folder: string): boolean => isInRegistry(nameAndVersion(folder));

/** Whether the registry has a package in a version, as in `name@1.0.0`. */
export function isInRegistry(wanted: string): boolean {
  const { status, stdout, stderr } = spawnSync("npm", ["view", wanted, "version", "--loglevel", "error"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (stderr.includes("E404")) return false;
  throw new Error(`npm could not find out whether ${wanted} is published:\n${stderr}`);
}

/** Publishes what the registry does not have yet, so that a release that stopped half way can be repeated. */
export function publish(): void {
  if (repositoryUrl() === undefined)
    throw new Error(
      "Nothing was published: npm refuses provenance without a repository. Fill in repository.json, and run `npm run repository`.",
    );
  for (const folder of publishedFolders) {
    if (isPublished(folder)) process.stdout.write(`${nameAndVersion(folder)} is published already\n`);
    else
      execFileSync("npm", ["publish", "--workspace", folder, "--provenance"], {
        cwd: root,
        stdio: "inherit",
      });
  }
}
