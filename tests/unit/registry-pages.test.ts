import { readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { parse } from "yaml";
import schema from "../../plugin/schema.json";
import { withTabs } from "../../site/choosers";
import { SETTINGS } from "../../provider/src/settings/settings";
import { placesOf } from "../../tools/reference/plugin-schema/languages";
import { REGISTRY_PAGES } from "../../tools/reference/registry-pages";
import { EXAMPLE_LANGUAGES } from "../../tools/schema-examples/pages";

/** The rules by which Pulumi's registry accepts a package: `scripts/ci/community-package` and `tools/resourcedocsgen` of pulumi/registry, as of 0b21a20cc. */
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];
const SAFE_NAME = /^[A-Za-z0-9._@/-]+$/;
const SAFE_COORDINATE = /^[A-Za-z0-9._-]+$/;
/** It ignores an address of another form, installs the plugin without one, and finds none. */
const SAFE_URL = /^(https|github|gitlab):\/\/[A-Za-z0-9._~:/?#@!$&()*+,;=-]+$/;

/** What is not shown right where the registry shows a page. */
const REFUSED = [
  /<img[^>]+src=["'](?!http)/i,
  /!\[[^\]]*\]\([./]/,
  /<a[^>]+href="[./]/,
  /\]\((?!https?:\/\/)[^)]*\.md[)#]/,
  // Hugo does not take this for a shortcode, but takes its end for one.
  /\{\{\s+[<%]/,
  // Links are absolute: the registry shows the page elsewhere.
  /\]\((?!https:\/\/)/,
];

const CHOOSER = /^\{\{< chooser language "([\w,]+)" >\}\}$([\s\S]*?)^\{\{< \/chooser >\}\}$/gm;

const root = path.resolve(__dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
const refusedLines = (text: string): readonly string[] =>
  text.split("\n").filter((line) => REFUSED.some((rule) => rule.test(line)));

test("the schema has what the registry's metadata need, and names that its commands take", () => {
  const category = schema.keywords.find((word) => word.startsWith("category/"))?.replace("category/", "");
  expect(CATEGORIES).toContain(category);
  expect(schema.keywords).toContain("kind/native");
  expect(semver.valid(schema.version)).toBe(schema.version);
  // It derives the name of the package from that of the repository.
  expect(path.basename(schema.repository)).toBe(`pulumi-${schema.name}`);
  for (const field of [schema.publisher, schema.description, schema.displayName, schema.logoUrl])
    expect(field).not.toBe("");
  const { nodejs, python, go, java } = schema.language;
  for (const name of [schema.name, nodejs.packageName, python.packageName, go.importBasePath])
    expect(name).toMatch(SAFE_NAME);
  for (const name of [schema.name, java.basePackage]) expect(name).toMatch(SAFE_COORDINATE);
  const { pluginDownloadURL } = placesOf("https://github.com/acme-data/pulumi-datapipes");
  expect(pluginDownloadURL).toMatch(SAFE_URL);
});

test("the overview has the sections, languages and parameters that the registry's guide asks for, in its order", () => {
  const overview = textOf("docs/_index.md");
  const headings = [...overview.matchAll(/^## .*/gm)].map(([heading]) => heading);
  expect(headings.slice(0, 3)).toEqual(["## Installation", "## Example Usage", "## Configuration"]);
  const choosers = [...overview.matchAll(CHOOSER)].map(([, languages]) => languages);
  // The keys of the shortcode; the guide asks for examples in the languages that a package supports.
  expect(choosers).toEqual([[...EXAMPLE_LANGUAGES, "hcl"].join(","), EXAMPLE_LANGUAGES.join(",")]);
  const parameters = [...overview.matchAll(/^\| `(\w+)` +\| (?:Yes|No|Where [^|]*?) +\| (?:Yes|No) +\| /gm)];
  expect(parameters.map(([, name]) => name)).toEqual(Object.keys(SETTINGS));
  expect(overview).toMatch(/^Maven:$[^]*^Gradle:$/m);
});

test.each(REGISTRY_PAGES)(
  "%s begins with front matter, and has no link or image that the registry refuses",
  (file) => {
    const [nothing, front = "", body = ""] = textOf(file).split(/^---\n/m);
    expect(nothing).toBe("");
    const { title, meta_desc: description, layout } = parse(front) as Record<string, string>;
    expect({ title, layout }).toEqual({
      title: expect.stringMatching(/^Datapipes/) as string,
      layout: "package",
    });
    expect(description?.length).toBeGreaterThan(40);
    expect(refusedLines(body)).toEqual([]);
  },
);

test.each(REGISTRY_PAGES)(
  "every chooser of %s has one program for each of its languages, which are tabs on the site",
  (file) => {
    const choosers = [...textOf(file).matchAll(CHOOSER)];
    expect(choosers.length).toBeGreaterThan(0);
    for (const [, languages = "", content = ""] of choosers) {
      const choices = [
        ...content.matchAll(/^\{\{% choosable language (\w+) %\}\}$([\s\S]*?)^\{\{% \/choosable %\}\}$/gm),
      ];
      expect(choices.map(([, language]) => language)).toEqual(languages.split(","));
      for (const [, , inside = ""] of choices) expect(inside).toMatch(/^```\w+\n[^]*^```$/m);
    }
    const tabs = withTabs(textOf(file));
    const programs = choosers.flatMap(([all]) => all.match(/^```\w+$/gm));
    expect(tabs.match(/^```\w+ \[[^\]]+\]$/gm)).toHaveLength(programs.length);
    expect(tabs).not.toMatch(/\{\{[<%]/);
  },
);
