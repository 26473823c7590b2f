import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { headOf } from "./head";

const root = path.resolve(__dirname, "../..");

/** Documents for contributors' tools, and packages' own READMEs that say what others say: the site links to them in the repository. */
export const LEFT_OUT = [
  ".github/",
  "AGENTS.md",
  "provider/README.md",
  "provider/etc/",
  "provider/temp/",
  "simulator/etc/",
  "simulator/temp/",
  "tests/",
  "scripts/",
  "plugin/examples/",
];

/** GitHub sets the variable in workflows. */
const { GITHUB_REPOSITORY: repository } = process.env;

/** GitHub serves the site of a repository in a folder of its name. */
export const base = repository === undefined ? "/" : `/${path.basename(repository)}/`;

/** Where a file or a folder without a page is: in the repository, or in this clone. */
function addressOf(file: string): string {
  if (repository === undefined) return pathToFileURL(path.join(root, file)).href;
  return `https://github.com/${repository}/${isFolder(file) ? "tree" : "blob"}/main/${file}`;
}

const isFolder = (file: string): boolean => statSync(path.join(root, file)).isDirectory();

/** The path of a document in the site. */
export const pathOf = (document: string): string =>
  document
    .replace(/^docs\/_index\.md$/, "docs/languages.md")
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "$1index.md");

const isPage = (file: string): boolean =>
  file.endsWith(".md") && !LEFT_OUT.some((left) => file.startsWith(left));

/** The document that a link to a file or a folder opens in the site; undefined if the site has none. */
function documentOf(file: string): string | undefined {
  if (!isFolder(file)) return isPage(file) ? file : undefined;
  const documents = readdirSync(path.join(root, file)).filter((name) => isPage(path.join(file, name)));
  const first = documents.includes("README.md") ? "README.md" : documents.sort()[0];
  return first === undefined ? undefined : path.join(file, first);
}

/** Where links between the pages for Pulumi's registry begin. */
const REGISTRY = "https://www.pulumi.com/registry/packages/datapipes/";

/** The registry's path of a page has no extension. */
const fileOf = (rest: string): string => (rest.endsWith("/") ? `docs/${rest.slice(0, -1)}.md` : rest);

/** What a link of a document becomes in the site: a link to a page of the site, or to the repository. */
export function siteLink(document: string, link: string): string {
  if (link.startsWith(REGISTRY)) return siteLink("README.md", fileOf(link.slice(REGISTRY.length)));
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(link)) return link;
  const [target = "", anchor] = decodeURI(link).split("#");
  const file = path.join(path.dirname(document), target).replace(/\/$/, "");
  if (!existsSync(path.join(root, file))) throw new Error(`${document}: ${link}: no such file`);
  const place = anchor === undefined ? "" : `#${anchor}`;
  const found = documentOf(file);
  if (found !== undefined) return `/${pathOf(found)}${place}`;
  return `${addressOf(file)}${place}`;
}

interface Entry {
  readonly text: string;
  readonly link: string;
}

const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

const entryOf = (document: string): Entry => ({
  text: headOf(document).title,
  link: `/${pathOf(document)}`,
});

/** The documents of a folder, without its list of them. */
const entriesOf = (folder: string): readonly Entry[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => isPage(name) && name !== "README.md" && !/^(_index|installation-)/.test(name))
    .sort()
    .map((name) => entryOf(path.join(folder, name)));

/** The guides in the order of their list. */
const guides = (): readonly Entry[] =>
  [...textOf("docs/guides/README.md").matchAll(/^\d+\. \[(.+?)\]\((.+?)\)/gm)].map(
    ([, text = "", file = ""]) => ({
      text,
      link: `/guides/${file}`,
    }),
  );

const group = (text: string, items: readonly Entry[], collapsed = true) => ({
  text,
  collapsed,
  items: [...items],
});

/** Guides come first, then what is looked up, then why things are as they are. */
export const sidebar = () => [
  group("Guides", guides(), false),
  group("Reference", [...entriesOf("docs/reference"), entryOf("docs/reference/api/README.md")], false),
  group(
    "Other languages",
    [
      { text: "A pipe in each language", link: "/languages.md" },
      { text: "Installation and configuration", link: "/installation-configuration.md" },
      ...["plugin/README.md", "examples/yaml/README.md"].map(entryOf),
    ],
    false,
  ),
  group("Pipelines and tests", ["examples/pipelines/README.md", "simulator/README.md"].map(entryOf)),
  group("Decisions", entriesOf("docs/decisions")),
  group("Background", [...entriesOf("docs"), entryOf("provider/CHANGELOG.md")]),
];

export const navigation = () => [
  { text: "Guides", link: "/guides/" },
  { text: "Reference", link: "/reference/pipe.md" },
  { text: "Decisions", link: siteLink("README.md", "docs/decisions") },
  ...(repository === undefined ? [] : [{ text: "Repository", link: `https://github.com/${repository}` }]),
];
