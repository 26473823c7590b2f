import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as datapipes from "../../provider/src/index";
import { exampleCases, YAML_EXAMPLES } from "./cases";
import { examplesFolder } from "../kit/program";
import { complete } from "../kit/pipes";

/** The folders of Pulumi projects. `pipelines` has files to copy into a project. */
const examples = readdirSync(examplesFolder).filter((name) =>
  existsSync(path.join(examplesFolder, name, "Pulumi.yaml")),
);

test("a test deploys every example, also those in YAML", () => {
  const files = readdirSync(__dirname).filter((file) => file.endsWith(".test.ts"));
  const tests = files.map((file) => readFileSync(path.join(__dirname, file), "utf8")).join("\n");
  const others = examples.filter((example) => !(example in exampleCases));
  expect(others.filter((example) => !tests.includes(`stackOf("${example}"`))).toEqual([]);
  expect(readdirSync(path.join(examplesFolder, "yaml"))).toEqual([...YAML_EXAMPLES].sort());
});

test("every resource, source and data function has an example, and so has an explicit provider", () => {
  const textOf = (example: string): string =>
    readFileSync(path.join(examplesFolder, example, "index.ts"), "utf8");
  const programs = examples.map(textOf).join("\n");
  // All public values but errors are made or called by programs, functions in one of their two forms.
  const names = Object.keys(datapipes).filter((name) => !/Error$|Output$/.test(name));
  expect(names).toEqual(expect.arrayContaining(["Pipe", "Provider", "getBackups"]));
  expect(names.filter((name) => !new RegExp(`datapipes\\.${name}(Output)?\\(`).test(programs))).toEqual([]);
  expect(Object.keys(complete).filter((kind) => !programs.includes(`${kind}: {`))).toEqual([]);
});
