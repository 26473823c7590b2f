import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../kit/cleanup";
import { withTabs } from "../../docs/.vitepress/choosers";
import { headOf } from "../../docs/.vitepress/head";
import { brokenLinks } from "../../docs/.vitepress/links";
import { siteLink } from "../../docs/.vitepress/pages";

/** A file without a page is in the repository, or, outside of workflows, in this clone. */
const REPOSITORY =
  process.env["GITHUB_REPOSITORY"] === undefined
    ? `${pathToFileURL(path.resolve(__dirname, "../..")).href}/`
    : /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(blob|tree)\/main\//;

test.each([
  ["docs/guides/drift.md", "../reference/pipe.md#arguments", "/reference/pipe.md#arguments"],
  ["docs/guides/drift.md", "#look-for-drift", "#look-for-drift"],
  ["README.md", "examples/yaml/README.md", "/examples/yaml/index.md"],
  ["README.md", "docs/decisions", "/decisions/0001-constant-handler.md"],
  ["plugin/README.md", "../provider/README.md", "file provider/README.md"],
  ["README.md", "examples/quickstart/index.ts", "file examples/quickstart/index.ts"],
  ["docs/guides/drift.md", "../../examples/service/", "file examples/service"],
  ["README.md", "https://semver.org", "https://semver.org"],
  ["docs/_index.md", "guides/drift.md", "/guides/drift.md"],
  [
    "docs/_index.md",
    "https://www.pulumi.com/registry/packages/datapipes/installation-configuration/",
    "/installation-configuration.md",
  ],
])("on the page of %s, the site links %s to %s", (document, link, target) => {
  expect(siteLink(document, link).replace(REPOSITORY, "file ")).toBe(target);
});

test("the site refuses a link that has no target", () => {
  expect(() => siteLink("README.md", "docs/none.md")).toThrow("no such file");
});

test("links to pages, files and headings that a built site lacks are found", async () => {
  const folder = await temporaryFolder("site");
  const good = `<h2 id="a&amp;b"></h2><a href="/base/two.html"></a><a href="#a&amp;b"></a><a href="https://x.example"></a>`;
  const bad = `<a href="three.html"></a><a href="one.html#c"></a><a href="/one.html"></a><script src="https://x.example/s.js">`;
  writeFileSync(path.join(folder, "one.html"), good);
  writeFileSync(path.join(folder, "two.html"), bad);
  const found = ["three.html", "one.html#c", "/one.html", "https://x.example/s.js"];
  expect(brokenLinks(folder, "/base/")).toEqual(found.map((link) => `two.html: ${link}`));
});

test("the head of a page has its first heading and paragraph, without comments of programs", () => {
  const text = "```sh\n# Comment\n```\n\n# A `heading`\n\n<!-- note -->\n\nA [first](a.md)\nparagraph.\n";
  expect(headOf("a.md", text)).toEqual({ title: "A heading", description: "A first paragraph." });
  const sentences = `${"Some words. ".repeat(9)}${"More words ".repeat(9)}`;
  expect(headOf("a.md", sentences).description).toBe("Some words. ".repeat(9).trim());
  expect(headOf("a.md", "more ".repeat(40)).description).toMatch(/^(more ){32}…$/);
  expect(headOf("templates/datapipes-typescript/README.md").title).toBe("datapipes-typescript");
  expect(headOf("docs/_index.md")).toMatchObject({ title: "Datapipes" });
});

test("programs that follow each other in several languages are tabs, with their texts", () => {
  const programs = "Python:\n\n```python\np\n```\n\nC#, of a kind:\n\n```csharp\nc\n```\n\nGo on.\n";
  const tabs =
    "::: code-group\n```python [Python]\np\n```\n```csharp [C#]\nc\n```\n:::\n\nC#, of a kind.\n\nGo on.\n";
  expect(withTabs(programs)).toBe(tabs);
  const one = "YAML:\n\n```yaml\na: 1\n```\n";
  expect(withTabs(one)).toBe(one);
});
