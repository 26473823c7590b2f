import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readProject } from "../../../provider/src/cli/doctor/project";
import { temporaryFolder } from "../../kit/cleanup";

async function read(name: string, text: string) {
  const folder = await temporaryFolder("project");
  await writeFile(path.join(folder, name), text);
  const { programFolder, language, hasFile } = readProject(folder);
  return { program: path.relative(folder, programFolder), language, hasFile };
}

test.each([
  ["Pulumi.yaml", "name: a\nruntime: nodejs\n"],
  ["Pulumi.yaml", "runtime:\n  options:\n    typescript: true\n  name: nodejs\n"],
  ["Pulumi.yml", 'runtime: { name: "nodejs" }\n'],
  ["Pulumi.json", '{ "name": "a", "runtime": { "options": {}, "name": "nodejs" } }'],
  ["Pulumi.yaml", "name: a: b: not YAML\n"],
])("%s with the text %j is a project of npm in its folder", async (name, text) => {
  expect(await read(name, text)).toEqual({ program: "", language: undefined, hasFile: true });
});

test.each([
  ["Pulumi.yaml", 'main: "infra/"\nruntime: nodejs\n', "infra"],
  ["Pulumi.yaml", "main: 'my infra/index.ts' # the program\nruntime: nodejs\n", "my infra"],
  ["Pulumi.json", '{ "runtime": "nodejs", "main": "infra" }', "infra"],
])("%s with the text %j has its program in %s", async (name, text, program) => {
  expect(await read(name, text)).toEqual({ program, language: undefined, hasFile: true });
});

test.each([
  ["Pulumi.yaml", "runtime: python\n", "python"],
  ["Pulumi.yaml", "runtime:\n  options: { virtualenv: venv }\n  name: python\n", "python"],
  ["Pulumi.json", '{ "runtime": { "name": "go" } }', "go"],
])("%s with the text %j has a program that needs no npm package: %s", async (name, text, language) => {
  expect(await read(name, text)).toEqual({ program: "", language, hasFile: true });
});
