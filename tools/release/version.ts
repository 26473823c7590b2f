import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { root } from "./address";
import { isDated, sectionOf, withSection, type Change } from "./changelog";

/** Makes the next version of the changesets: changelog, manifests, template, lockfile, schema, golden state. */
export async function makeVersion(date: string): Promise<void> {
  const { changesets, releases } = await getReleasePlan(root);
  const [release] = releases;
  const changelog = read("CHANGELOG.md");
  if (release === undefined) throw new Error("No version was made: .changeset has no changeset.");
  if (!isDated(changelog, release.oldVersion))
    throw new Error(
      `No version was made, because ${release.oldVersion} has no date in CHANGELOG.md: it is not released yet. Add your lines to its section.`,
    );
  const changes: Change[] = changesets.map(({ summary, releases: packages }) => ({ summary, packages }));
  const section = sectionOf({ version: release.newVersion, date, changes });
  writeFileSync(path.join(root, "CHANGELOG.md"), withSection(changelog, section));
  run("npx", ["prettier", "--write", "CHANGELOG.md"]);
  run("npx", ["changeset", "version"]);
  fillTemplates();
  run("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit"]);
  // The schema of the plugin, and the names of its archives, have the version.
  run("npm", ["run", "--silent", "reference"]);
  run("npm", ["run", "--silent", "golden"]);
}

/** The templates are no workspaces, because their names are variables; so changesets leaves them alone. */
function fillTemplates(): void {
  const range = rangeOf(read("examples/quickstart/package.json"));
  for (const template of readdirSync(path.join(root, "templates"))) {
    const file = path.join("templates", template, "package.json");
    writeFileSync(path.join(root, file), withRange(read(file), range));
  }
}

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const RANGE = /("pulumi-datapipes(?:-simulator)?": )"([^"]+)"/g;

/** The range of our packages in a manifest. */
export function rangeOf(manifest: string): string {
  const [, , range] = [...manifest.matchAll(RANGE)][0] ?? [];
  if (range === undefined) throw new Error("A manifest does not name pulumi-datapipes.");
  return range;
}

/** A manifest with another range of our packages. */
export const withRange = (manifest: string, range: string): string =>
  manifest.replaceAll(RANGE, (_, key: string) => `${key}"${range}"`);

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: "inherit" });
}
