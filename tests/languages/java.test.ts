import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { examplesFolder } from "../kit/program";
import { temporaryFolder } from "../kit/cleanup";
import { schemaExamples } from "./schema-examples";
import { generateSdk, hostFolder } from "../kit/sdk";
import { expectShopDeploys } from "./shop";
import { testWith } from "./tools";

const hasJava = ["javac", "mvn"].every((command) => spawnSync(command, ["-version"]).status === 0);
const javaTest = testWith("a JDK and Maven", hasJava);

const addSdk = (project: string) => generateSdk("java", path.join(project, "sdks/datapipes"));

javaTest(
  "the examples in Java compile with the generated SDK, and one with a misspelt field does not",
  async () => {
    const folder = await temporaryFolder("java");
    await cp(path.join(examplesFolder, "java/shop"), folder, { recursive: true });
    await addSdk(folder);
    const { programs, wrong } = schemaExamples("java");
    const write = async (name: string, program: string) => {
      await mkdir(path.join(folder, "src/main/java", name));
      await writeFile(path.join(folder, "src/main/java", name, "App.java"), `package ${name};\n${program}`);
    };
    const compile = () => promisify(execFile)("mvn", ["--quiet", "--batch-mode", "compile"], { cwd: folder });
    for (const [index, program] of programs.entries()) await write(`example${index}`, program);
    await compile();
    await write("wrong", wrong);
    await expect(compile()).rejects.toMatchObject({ stdout: expect.stringContaining("brokrs") as unknown });
  },
);

// Each account gets its resources, a changed setting is one PATCH, and no output or state has a secret.
javaTest("the example in Java deploys to two accounts, changes one setting, and is destroyed", async () => {
  await expectShopDeploys({ language: "java", path: [await hostFolder("java")], addSdk });
});
