import { execFile } from "node:child_process";
import { copyFile, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { provideCompanion } from "../../scripts/pulumi-cli/go/companions";
import { providePulumi } from "../../scripts/pulumi-cli/provision";

const run = promisify(execFile);
const repository = path.resolve(__dirname, "../..");

export const pluginFolder = path.join(repository, "plugin/dist");

/** `plugins` of a project file: the engine then takes the built plugin. */
export const plugins = { providers: [{ name: "datapipes", path: pluginFolder }] };

export const sdkVariable = "DATAPIPES_TEST_NODE_SDK";

/** The folder of the language host that runs programs in this language. */
export const hostFolder = async (language: "go" | "java" | "python" | "yaml"): Promise<string> =>
  path.dirname(
    await provideCompanion(`pulumi-language-${language}`, await providePulumi({ report: () => undefined })),
  );

type SdkLanguage = "nodejs" | "python" | "go" | "java" | "csharp";

export async function generateSdk(language: SdkLanguage, folder: string): Promise<void> {
  const cli = await providePulumi({ report: () => undefined });
  const schema = path.join(pluginFolder, "schema.json");
  const generator = language === "java" || language === "csharp" ? "java-and-csharp" : "code-generator";
  await run(await provideCompanion(generator, cli), [schema, language, folder]);
}

/** Generates and compiles the SDK for Node.js, and returns its folder. It uses the packages of this repository. */
export async function nodeSdk(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "datapipes-sdk-"));
  await generateSdk("nodejs", folder);
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"), "junction");
  const compiler = path.join(repository, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "--project", folder, "--skipLibCheck"]);
  // Its script for npm's installation does the same.
  await copyFile(path.join(folder, "package.json"), path.join(folder, "bin/package.json"));
  return folder;
}
