import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import * as source from "../../provider/src/index";
import { RESOURCE_TYPES } from "../../provider/src/run/definitions";
import { EVERY_RESOURCE } from "../kit/resources";
import { installedSimulator } from "./installed-project";
import { declaration } from "../kit/program";
import { newStack } from "../kit/stack";
import { install, output, pack, repository } from "../kit/tarballs";

let project: string;

beforeAll(async () => {
  project = await install((await pack()).map(({ tarball }) => tarball));
});

/** What a script of the user's own prints as JSON. */
async function evaluated(script: string, kind: "commonjs" | "module"): Promise<unknown> {
  return JSON.parse(await output(process.execPath, [`--input-type=${kind}`, "-e", script], project));
}

test("require and import export the same names, which are those of the source", async () => {
  const required = `console.log(JSON.stringify(Object.keys(require("pulumi-datapipes")).sort()))`;
  const imported = `import * as all from "pulumi-datapipes"; console.log(JSON.stringify(Object.keys(all).sort()))`;
  const publicNames = Object.keys(source).sort();
  expect(publicNames).toEqual(expect.arrayContaining(["Pipe", "getPipeOutput", "isDatapipesError"]));
  expect(await evaluated(required, "commonjs")).toEqual(publicNames);
  const ofInterop = ["__esModule", "default", "module.exports"];
  const names = (await evaluated(imported, "module")) as string[];
  expect(names.filter((name) => !ofInterop.includes(name))).toEqual(publicNames);
});

test("the package exports the runtime that states refer to", async () => {
  const script = 'console.log(JSON.stringify(Object.keys(require("pulumi-datapipes/runtime"))))';
  expect(await evaluated(script, "commonjs")).toEqual(["handler"]);
});

test.each(["dist/index.js", "dist/program/handler.js", "src/index", "api/client"])(
  "the package does not export %s",
  async (inside) => {
    const required = evaluated(`require("pulumi-datapipes/${inside}")`, "commonjs");
    await expect(required).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  },
);

const resolutions = [{ module: "nodenext" }, { module: "preserve", moduleResolution: "bundler" }];

test.each(resolutions)("programs are checked against all declarations under %j", async (resolution) => {
  const tsconfig = `tsconfig.${resolution.module}.json`;
  const compilerOptions = { ...resolution, target: "es2022", strict: true, noEmit: true, types: ["node"] };
  const files = ["program.cts", "program.mts"];
  for (const file of files) await cp(path.join(__dirname, "programs", file), path.join(project, file));
  await writeFile(path.join(project, tsconfig), JSON.stringify({ compilerOptions, files }));
  await output(path.join(repository, "node_modules/.bin/tsc"), ["--project", tsconfig], project);
});

const program = `
  ${RESOURCE_TYPES.map((type) => declaration(type, type, EVERY_RESOURCE[type].args)).join(";")};
  exports.pipes = datapipes.getPipesOutput().pipes.length;
`;

test("a program goes up and down with nothing but what the packages declare", async () => {
  const modules = path.join(project, "node_modules");
  const stack = await newStack({ program, modules, env: await installedSimulator(project) });
  await stack.up();
  const state = await stack.export();
  for (const type of RESOURCE_TYPES) {
    const __provider = `exports.handler = () => require("pulumi-datapipes/runtime").handler("${type}");`;
    const resource = { type: `pulumi-nodejs:dynamic/datapipes:${type}`, inputs: { __provider } };
    expect(state.ofType(type)).toMatchObject([resource]);
  }
  await stack.destroy();
  expect((await stack.export()).resources).toEqual([]);
});
