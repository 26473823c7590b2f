import path from "node:path";
import { pathToFileURL } from "node:url";
import { withTabs } from "../../docs/.vitepress/choosers";
import { headOf, siteLink } from "../../docs/.vitepress/pages";

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

test("the head of a page has its first heading and paragraph, or those of its front matter", () => {
  const { title, description } = headOf("docs/guides/drift.md");
  expect(title).not.toBe("");
  expect(description).toMatch(/^[A-Z][^[\]`\n]{30,}/);
  expect(headOf("docs/_index.md")).toMatchObject({ title: "Datapipes" });
});

test("choosers of languages are tabs", () => {
  const choice = "{{% choosable language python %}}\n\n```python\np\n```\n\n{{% /choosable %}}";
  const chooser = `{{< chooser language "python" >}}\n\n${choice}\n\n{{< /chooser >}}`;
  expect(withTabs(chooser)).toBe("::: code-group\n```python [Python]\np\n```\n:::");
});
