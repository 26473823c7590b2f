import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../kit/cleanup";
import { schemaExamples } from "./schema-examples";
import { generateSdk, sdkVariable } from "../kit/sdk";
import { staleFiles } from "../../scripts/made-files";
import { examplePages } from "../../scripts/schema-examples/pages";

const modules = path.resolve(__dirname, "../../node_modules");

test("the examples of the plugin's schema are what Pulumi's converter makes of those in YAML", async () => {
  expect((await staleFiles(await examplePages())).map(({ path: file }) => file)).toEqual([]);
});

test("the examples in TypeScript compile with the generated SDK, a misspelt field does not", async () => {
  const { programs, wrong } = schemaExamples("typescript");
  const types = path.join(process.env[sdkVariable] ?? "", "bin/index.d.ts");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    skipLibCheck: true,
    types: ["node"],
    paths: { "pulumi-datapipes-sdk": [types] },
  };
  const folder = await temporaryFolder("examples", {
    "tsconfig.json": JSON.stringify({ compilerOptions }),
    ...Object.fromEntries(programs.map((program, index) => [`example-${index}.ts`, program])),
    "wrong.ts": wrong,
  });
  await symlink(modules, path.join(folder, "node_modules"), "junction");
  const compiler = [path.join(modules, "typescript/bin/tsc"), "--pretty", "false", "--project", folder];
  const compiled = promisify(execFile)(process.execPath, compiler, { cwd: folder });
  const failure = await compiled.catch((error: unknown) => error);
  expect(failure).toMatchObject({ stdout: expect.stringMatching(/^wrong\.ts.*brokrs/) as unknown });
  expect(failure).toMatchObject({ stdout: expect.not.stringMatching(/^example-/m) as unknown });
});

test("Pulumi's generator for C# makes an SDK in Pulumi's namespace; nothing compiles it here", async () => {
  const folder = await temporaryFolder("csharp");
  await generateSdk("csharp", folder);
  expect(await readFile(path.join(folder, "Pipe.cs"), "utf8")).toContain("namespace Pulumi.Datapipes\n");
});
