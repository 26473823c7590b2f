import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const root = path.resolve(__dirname, "../..");

/** Documents for contributors' tools, and READMEs that say what others say: the site links to them in the repository. */
export const LEFT_OUT =
  ".github AGENTS.md etc plugin/examples provider/README.md scripts temp templates tests".split(" ");

/** GitHub sets the variable in workflows, and serves the site of a repository in a folder of its name. */
const { GITHUB_REPOSITORY: repository } = process.env;
export const base = repository === undefined ? "/" : `/${path.basename(repository)}/`;

const isFolder = (file: string): boolean => statSync(path.join(root, file)).isDirectory();
const isPage = (file: string): boolean =>
  file.endsWith(".md") && !LEFT_OUT.some((left) => `/${file}/`.includes(`/${left}/`));

/** Where a file or a folder without a page is: in the repository, or in this clone. */
const addressOf = (file: string): string =>
  repository === undefined
    ? pathToFileURL(path.join(root, file)).href
    : `https://github.com/${repository}/blob/main/${file}`;

/** The path of a document in the site. */
export const pathOf = (document: string): string =>
  document
    .replace(/^docs\/_index\.md$/, "docs/languages.md")
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "$1index.md");

/** The document that a link to a file or a folder opens in the site; undefined if the site has none. */
function documentOf(file: string): string | undefined {
  if (!isFolder(file)) return isPage(file) ? file : undefined;
  const documents = readdirSync(path.join(root, file)).filter((name) => isPage(path.join(file, name)));
  const [first] = documents.sort();
  return first === undefined ? undefined : path.join(file, first);
}

/** What a link of a document becomes in the site: a link to a page of the site, or to the repository. */
export function siteLink(document: string, link: string): string {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(link)) return link;
  const [target = "", anchor] = decodeURI(link).split("#");
  const file = path.join(path.dirname(document), target).replace(/\/$/, "");
  const place = anchor === undefined ? "" : `#${anchor}`;
  const found = documentOf(file);
  return found === undefined ? `${addressOf(file)}${place}` : `/${pathOf(found)}${place}`;
}

/** The title and the description of a page: those of its front matter, else its first heading and paragraph. */
export function headOf(document: string) {
  const text = readFileSync(path.join(root, document), "utf8");
  const [, heading = "", paragraph = ""] = /^# (.*)$[^]*?\n\n(["`*[A-Z][^]*?)\n\n/m.exec(text) ?? [];
  const plain = (markdown: string) =>
    markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)|`|\*\*/g, "$1").replaceAll("\n", " ");
  return {
    title: /^title: (.*)$/m.exec(text)?.[1] ?? plain(heading),
    description: /^meta_desc: (.*)$/m.exec(text)?.[1] ?? plain(paragraph).slice(0, 160),
  };
}

const entryOf = (document: string) => ({ text: headOf(document).title, link: `/${pathOf(document)}` });

/** The documents of a folder, without its list of them and the pages for Pulumi's registry. */
const documentsIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => isPage(name) && !/^(?:README|_index|installation-)/.test(name))
    .map((name) => path.join(folder, name));

const group = (text: string, documents: readonly string[]) => ({
  text,
  collapsed: true,
  items: documents.map(entryOf),
});

/** Guides come first, in the order of their list. */
export function sidebar() {
  const list = readFileSync(path.join(root, "docs/guides/README.md"), "utf8");
  const guides = [...list.matchAll(/^\d+\..*?\((.+?)\)/gm)].map(([, file = ""]) => `docs/guides/${file}`);
  return [
    group("Guides", guides),
    group("Reference", [...documentsIn("docs/reference"), "docs/reference/api/README.md"]),
    group("Other languages", ["docs/_index.md", "docs/installation-configuration.md", "plugin/README.md"]),
    group("Examples and tests", [
      "examples/README.md",
      "examples/pipelines/README.md",
      "simulator/README.md",
    ]),
    group("Decisions", documentsIn("docs/decisions")),
    group("Background", [...documentsIn("docs"), "provider/CHANGELOG.md"]),
  ];
}
