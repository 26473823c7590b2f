import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { ARCHIVES } from "../plugin-archives/archives";
import { root } from "./address";
import { currentTag } from "./request";

/** Adds the archives of the plugin to GitHub's release of the tag, where Pulumi looks for them. Needs `gh` and its token. */
export function releasePlugin(): void {
  const files = existsSync(ARCHIVES) ? readdirSync(ARCHIVES).sort() : [];
  if (files.length === 0) throw new Error("plugin/archives has no archives: run `npm run pack:plugin`.");
  const tag = currentTag();
  const { status } = spawnSync("gh", ["release", "view", tag], { cwd: root });
  const paths = files.map((file) => path.join(ARCHIVES, file));
  execFileSync("gh", releaseCommand(tag, paths, { exists: status === 0 }), { cwd: root, stdio: "inherit" });
}

/** The arguments of `gh` that make the release, or complete that of an earlier try. */
export const releaseCommand = (
  tag: string,
  files: readonly string[],
  { exists }: { exists: boolean },
): string[] =>
  exists
    ? ["release", "upload", tag, ...files, "--clobber"]
    : ["release", "create", tag, ...files, "--verify-tag", "--title", tag, "--notes", NOTES];

const NOTES =
  "CHANGELOG.md says what has changed. The archives have the native plugin, for Pulumi programs in other languages than TypeScript.";
