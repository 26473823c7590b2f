import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { version } from "../../provider/package.json";
import { repository, textOf, write } from "../made-files";
import { run } from "../run";

/** What is true only until the first release is in this file, to which paragraphs in others link. */
const UNRELEASED = "docs/guides/unreleased.md";
const LINKS = /^Version \S+ is \[not released yet\]\(\S*\bunreleased\.md\)\.\n\n/gm;

/** A version of the package in commands and programs for users. */
const INSTALLED = /(datapipes(?:-sdk)?(?:@|==| v)|datapipes"\n +version = ")\d+\.\d+\.\d+/g;

/** Templates are no workspaces, because their names are variables, so changesets leaves them alone. */
const RANGE = /("pulumi-datapipes(?:-simulator)?": )"[^"]+"/g;

function released(file: string, text: string): string {
  if (file.endsWith("package.json")) return text.replaceAll(RANGE, `$1"^${version}"`);
  const today = new Date().toISOString().slice(0, 10);
  const current = text.replaceAll(LINKS, "").replace("] - unreleased", `] - ${today}`);
  return file.startsWith("docs/decisions/") ? current : current.replaceAll(INSTALLED, `$1${version}`);
}

/** Changes the texts that a release changes. `npm run version` calls it after changesets. */
run(async () => {
  await rm(path.join(repository, UNRELEASED), { force: true });
  const args = ["ls-files", "*.md", "templates/*/package.json", `:!${UNRELEASED}`];
  const files = execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim().split("\n");
  const texts = files.map(async (file) => ({ path: file, text: released(file, await textOf(file)) }));
  await write(await Promise.all(texts));
});
