import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as datapipes from "../../provider/src/index";
import { parse } from "yaml";
import { exampleCases, YAML_EXAMPLES, yamlTextOf } from "./cases";
import { examplesFolder } from "../kit/program";
import { complete } from "../kit/pipes";

/** The folders of Pulumi projects. `pipelines` has files to copy into a project. */
const examples = readdirSync(examplesFolder).filter((name) =>
  existsSync(path.join(examplesFolder, name, "Pulumi.yaml")),
);

const textOf = (example: string, file: string): string =>
  readFileSync(path.join(examplesFolder, example, file), "utf8");

/** The packages that an example may need beside the provider and Pulumi. */
const MORE_PACKAGES: Readonly<Record<string, string[]>> = { policies: ["@pulumi/policy"] };

test.each(examples)("%s begins with what it does and needs, and is a project of its own", (example) => {
  const text = textOf(example, "index.ts");
  const [comment = ""] = /^\/\*\*[^]*?\*\//.exec(text) ?? [];
  for (const [, key] of text.matchAll(/config\.require(?:Secret|Number)?\("(\w+)"\)/g))
    expect(comment).toContain(`:${key ?? ""} `);
  expect(comment).toContain("pulumi up");
  expect(comment).toContain("pulumi config set");
  for (const [, file] of text.matchAll(/ from "(\..+)";/g)) expect(file).toMatch(/^\.\/[a-z-]+$/);
  const project = `name: datapipes-${example}\ndescription: `;
  expect(textOf(example, "Pulumi.yaml")).toMatch(RegExp(`^${project}.+\n`));
  const manifest = JSON.parse(textOf(example, "package.json")) as { name: string; dependencies: object };
  expect(manifest.name).toBe(`datapipes-${example}`);
  const packages = [...(MORE_PACKAGES[example] ?? []), "@pulumi/pulumi", "pulumi-datapipes"];
  expect(Object.keys(manifest.dependencies)).toEqual(packages);
});

test("a test deploys every example, also those in YAML", () => {
  const files = readdirSync(__dirname).filter((file) => file.endsWith(".test.ts"));
  const tests = files.map((file) => readFileSync(path.join(__dirname, file), "utf8")).join("\n");
  const others = examples.filter((example) => !(example in exampleCases));
  expect(others.filter((example) => !tests.includes(`stackOf("${example}"`))).toEqual([]);
  expect(readdirSync(path.join(examplesFolder, "yaml"))).toEqual([...YAML_EXAMPLES].sort());
});

test("the list of the examples names each folder", () => {
  const list = readFileSync(path.join(examplesFolder, "README.md"), "utf8");
  const folders = readdirSync(examplesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = [...folders.map(({ name }) => name), ...YAML_EXAMPLES.map((name) => `yaml/${name}`)];
  expect(names.filter((name) => !list.includes(`](${name}/`))).toEqual([]);
});

test.each(YAML_EXAMPLES)("%s in YAML begins with what it does and needs", async (name) => {
  const text = await yamlTextOf(name);
  const [comment = ""] = /^(?:#.*\n)+/.exec(text) ?? [];
  const project = parse(text) as { name: string; config?: Record<string, { default?: unknown }> };
  expect(project.name).toBe(name);
  const values = Object.entries(project.config ?? {});
  for (const [key] of values.filter(([, value]) => value.default === undefined))
    expect(comment).toMatch(new RegExp(`pulumi config set (--secret )?${key} `));
  expect(comment).toContain("`pulumi up`");
  expect(text).not.toContain("../../");
});

test("every resource, source and data function has an example, and so has an explicit provider", () => {
  const programs = examples.map((example) => textOf(example, "index.ts")).join("\n");
  // All public values but errors are made or called by programs, functions in one of their two forms.
  const names = Object.keys(datapipes).filter((name) => !/Error$|Output$/.test(name));
  expect(names).toEqual(expect.arrayContaining(["Pipe", "Provider", "getBackups"]));
  expect(names.filter((name) => !new RegExp(`datapipes\\.${name}(Output)?\\(`).test(programs))).toEqual([]);
  expect(Object.keys(complete).filter((kind) => !programs.includes(`${kind}: {`))).toEqual([]);
});
