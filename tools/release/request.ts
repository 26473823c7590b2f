import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./address";

/** The branch of the pull request; it is made anew from `main` each time. */
const branch = "release/next";

/** Commits the version that was just made, and opens its pull request or updates it. Needs `gh` and its token. */
export function requestRelease(): void {
  const title = `chore: release ${currentVersion()}`;
  git("switch", "--force-create", branch);
  git("add", "--all");
  git(...author, "commit", "--message", title);
  git("push", "--force", "origin", branch);
  const body =
    "Merging this publishes the packages. Read the new section of CHANGELOG.md, and correct it here.";
  if (openRequests() > 0) gh("pr", "edit", branch, "--title", title, "--body", body);
  else gh("pr", "create", "--head", branch, "--base", "main", "--title", title, "--body", body);
}

/** Marks the published commit, unless an earlier try has done so. */
export function tagRelease(): void {
  const tag = currentTag();
  if (hasTag(tag)) return;
  git(...author, "tag", "--annotate", tag, "--message", tag);
  git("push", "origin", tag);
}

export const hasTag = (tag: string): boolean =>
  execFileSync("git", ["ls-remote", "--tags", "origin", `refs/tags/${tag}`], { cwd: root }).length > 0;

export const currentTag = (): string => `v${currentVersion()}`;

/** Read anew, because the version has just changed. */
function currentVersion(): string {
  const text = readFileSync(path.join(root, "provider/package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** The account of GitHub's own workflows. */
export const author = [
  "-c",
  "user.name=github-actions[bot]",
  "-c",
  "user.email=41898282+github-actions[bot]@users.noreply.github.com",
];

function openRequests(): number {
  const args = ["pr", "list", "--head", branch, "--state", "open", "--json", "number"];
  const printed = execFileSync("gh", args, { cwd: root, encoding: "utf8" });
  return (JSON.parse(printed) as unknown[]).length;
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: root, stdio: "inherit" });
}

function gh(...args: readonly string[]): void {
  execFileSync("gh", args, { cwd: root, stdio: "inherit" });
}
