import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseDocument } from "../../tests/kit/documents";

/** Where the page of all public names lies. */
export const API_PAGE = "docs/reference/api/README.md";

const HEADING = `# All public names

Every class, function and type that \`pulumi-datapipes\` exports, from its doc comments.`;

/**
 * The page of all public names, made from the doc comments of the package. A public name without one, and a link that
 * leads nowhere, are errors.
 */
export async function apiPage(repository: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-reference-"));
  try {
    const options = ["--options", "provider/typedoc.json", "--logLevel", "Warn", "--out", folder];
    execFileSync(process.execPath, ["scripts/tool.mjs", "tools", "typedoc", ...options], {
      cwd: repository,
      stdio: "inherit",
    });
    const made = await readFile(path.join(folder, path.basename(API_PAGE)), "utf8");
    return withTargets(made.replace(/^# .*$/m, HEADING));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The plugin numbers a heading that it takes for the second of its name, where the page has one alone. */
function withTargets(text: string): string {
  const { anchors } = parseDocument(API_PAGE, text);
  return text.replace(/\(#([\w-]+)-\d+\)/g, (link, name: string) =>
    !anchors.has(link.slice(2, -1)) && anchors.has(name) ? `(#${name})` : link,
  );
}
