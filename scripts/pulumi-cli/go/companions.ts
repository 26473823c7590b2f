import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, chmod, mkdir, readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { executableIn, onPath } from "../executable";
import type { PulumiCli } from "../provision";
import { toStderr } from "../report";
import { build, buildFolder, goModule } from "./build";

const SDK = "github.com/pulumi/pulumi/sdk/v3";
const JAVA_HOST = "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java";
const YAML_HOST = "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml";

/** The module and package of each program that only some tests need. A release of the CLI has the language hosts. */
const COMPANIONS = {
  "pulumi-language-yaml": ["companions", YAML_HOST],
  "pulumi-language-python": ["language-host", `${SDK}/python/cmd/pulumi-language-python`],
  "pulumi-language-go": ["go-host", `${SDK}/go/pulumi-language-go`],
  "pulumi-language-java": ["java-and-csharp", JAVA_HOST],
  "code-generator": ["companions", "./code-generator"],
  "java-and-csharp": ["java-and-csharp", "./java-and-csharp"],
} as const;

export type CompanionName = keyof typeof COMPANIONS;

/** Finds a program beside the CLI or on PATH, or builds it with Go, and returns its path. */
export async function provideCompanion(
  name: CompanionName,
  { binary }: PulumiCli,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const beside = executableIn(path.dirname(await realpath(binary)), name);
  const installed = existsSync(beside) ? beside : (await onPath(name, env))[0];
  if (installed !== undefined) return installed;
  const [module, program] = COMPANIONS[name];
  const folder = goModule(module);
  const digest = await digestOf([folder, goModule("codegen")]);
  const directory = path.join(buildFolder(env), `companions-${digest}`);
  await mkdir(directory, { recursive: true });
  if (name === "pulumi-language-python") await addPythonScript(folder, directory);
  await build(name, [{ name, module: folder, package: program }], directory, { env, report: toStderr });
  return executableIn(directory, name);
}

/** Changes with everything that modules pin and hold, so that a changed one is built again. */
async function digestOf(modules: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const module of modules) {
    const files = (await readdir(module, { recursive: true })).filter((file) => /\.(go|mod|sum)$/.test(file));
    for (const file of files.sort()) hash.update(file).update(await readFile(path.join(module, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

/** The language host for Python runs this script, which must be beside it. */
async function addPythonScript(module: string, directory: string): Promise<void> {
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", SDK], { cwd: module });
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  const script = path.join(directory, "pulumi-language-python-exec");
  await copyFile(path.join(Dir, "python/cmd/pulumi-language-python-exec"), script);
  // Go keeps modules as files that cannot be executed.
  await chmod(script, 0o755);
}
