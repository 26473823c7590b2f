import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { examplesFolder } from "../kit/program";
import { temporaryFolder } from "../kit/cleanup";
import { schemaExamples } from "./schema-examples";
import { generateSdk, hostFolder } from "../kit/sdk";
import { pinnedVersion } from "../../scripts/pulumi-cli/release";
import { expectShopDeploys } from "./shop";
import { testWith } from "./tools";

/** Pulumi's default for a package without a repository. */
const importBasePath = "example.com/pulumi-datapipes/sdk/go/datapipes";

// As the CLI is built, so that Go compiles what both need once.
const env = { GOWORK: "off", GOFLAGS: "-mod=mod -tags=osusergo,grpcnotrace", CGO_ENABLED: "0" };

const goIn = (cwd: string, ...args: readonly string[]) =>
  promisify(execFile)("go", args, { cwd, env: { ...process.env, ...env } });

/** Adds the SDK to a module, as `pulumi package add` does, and what all its packages need. */
async function addSdk(module: string): Promise<void> {
  await generateSdk("go", path.join(module, "sdks"));
  await writeFile(path.join(module, "sdks/datapipes/go.mod"), `module ${importBasePath}\n\ngo 1.25\n`);
  await goIn(module, "mod", "edit", "-replace", `${importBasePath}=./sdks/datapipes`);
  await goIn(module, "get", `github.com/pulumi/pulumi/sdk/v3@v${pinnedVersion}`);
  await goIn(module, "mod", "tidy");
}

const goTest = testWith("Go", spawnSync("go", ["version"]).status === 0);

goTest(
  "the examples in Go pass go vet with the generated SDK, and one with a misspelt field does not",
  async () => {
    const folder = await temporaryFolder("go");
    await cp(path.join(examplesFolder, "go/shop"), folder, { recursive: true });
    const { programs, wrong } = schemaExamples("go");
    const examples = programs.map((text, index) => [`examples/${index}`, text] as const);
    for (const [name, text] of [...examples, ["wrong", wrong] as const]) {
      await mkdir(path.join(folder, name), { recursive: true });
      await writeFile(path.join(folder, name, "main.go"), text);
    }
    await addSdk(folder);
    const vet = goIn(folder, "vet", ".", "./examples/...", importBasePath);
    await expect(vet).resolves.toMatchObject({ stdout: "", stderr: "" });
    await expect(goIn(folder, "vet", "./wrong")).rejects.toThrow("unknown field Brokrs");
  },
);

goTest("the example in Go deploys to two accounts, changes one setting, and is destroyed", async () => {
  await expectShopDeploys({ language: "go", path: [await hostFolder("go")], env, addSdk });
});
