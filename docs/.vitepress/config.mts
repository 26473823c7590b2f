import path from "node:path";
import { slug } from "github-slugger";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { description } from "../../provider/package.json";
import { withTabs } from "./choosers";
import { base, headOf, LEFT_OUT, pathOf, root, sidebar, siteLink } from "./pages";

/** What VitePress says of the document that it renders. `path` is not there for the title of a page. */
interface Rendered {
  readonly path?: string;
  readonly realPath?: string;
  readonly frontmatter?: { readonly title?: string };
}

/** The site renders the documents of the repository as they are: it rewrites links and choosers. */
const ofRepository: MarkdownOptions["config"] = (markdown) => {
  markdown.core.ruler.before("normalize", "registry-pages", (state) => {
    const { path: file, frontmatter } = state.env as Rendered;
    if (file === undefined) return;
    const heading = frontmatter?.title === undefined ? "" : `# ${frontmatter.title}\n\n`;
    state.src = `${heading}${withTabs(state.src)}`;
  });
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const { path: file, realPath = file } = env as Rendered;
    if (realPath === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === "link_open" ? token.attrGet("href") : null;
      if (link !== null) token.attrSet("href", siteLink(path.relative(root, realPath), link));
    }
  });
};

/** The theme hides the inputs of tabs, and with them the focus; nor does a browser scroll to one that is fixed. */
const FOCUS_OF_TABS = `
.vp-doc .vp-code-group .tabs input { position: absolute; }
.vp-doc .vp-code-group .tabs input:focus-visible + label { outline: 2px solid var(--vp-c-brand-1); outline-offset: -8px; }
`;

/** In the search, guides outrank what is looked up, and that outranks pages that are made or are for developers. */
function boostDocument(id: string): number {
  // The list of the guides has the words of all of them.
  if (id.includes("/guides/")) return /\/(?:troubleshoot|guides\/(?:#|$))/.test(id) ? 2 : 4;
  return /\/(?:reference\/(?!api|management)|plugin|simulator|examples|languages|install)/.test(id)
    ? 1
    : 0.05;
}

export default defineConfig({
  title: "pulumi-datapipes",
  description,
  lang: "en",
  head: [["style", {}, FOCUS_OF_TABS]],
  base,
  srcDir: "..",
  srcExclude: LEFT_OUT.map((left) => `**/${left}{,/**}`),
  rewrites: pathOf,
  markdown: {
    // The anchors of GitHub, so that a link to a heading works there and here.
    anchor: {
      slugify: slug,
      getTokensText: (tokens: readonly { readonly content: string }[]) =>
        tokens.map(({ content }) => content).join(""),
    },
    config: ofRepository,
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/" },
      { text: "Reference", link: "/reference/pipe.md" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local", options: { miniSearch: { searchOptions: { boostDocument } } } },
  },
  // Pages for Pulumi's registry name a layout of the registry.
  transformPageData: ({ filePath, frontmatter }) => ({
    ...headOf(filePath),
    frontmatter: { ...frontmatter, layout: "doc" },
  }),
});
