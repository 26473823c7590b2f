import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolderOf, type CacheFolder } from "./cache";
import { runChild } from "./child";
import { executableIn, isExecutable, onPath } from "./executable";
import { compile, goModule, type BuildContext, type Part } from "./go";
import { interruptible } from "./interrupt";
import { withLock } from "./lock";
import { toStderr } from "./progress";
import type { PulumiCli } from "./provision";

interface Companion extends Part {
  /** A file of the module that must be beside the program. */
  script?: { module: string; file: string };
}

const SDK = "github.com/pulumi/pulumi/sdk/v3";

/** The programs beside the CLI that only some runs need. An official release of the CLI has the language hosts. */
const COMPANIONS = {
  "pulumi-language-yaml": {
    module: goModule("companions"),
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  },
  "pulumi-language-python": {
    module: goModule("language-host"),
    package: `${SDK}/python/cmd/pulumi-language-python`,
    script: { module: SDK, file: "python/cmd/pulumi-language-python-exec" },
  },
  "pulumi-language-go": { module: goModule("go-host"), package: `${SDK}/go/pulumi-language-go` },
  "pulumi-language-java": {
    module: goModule("java-and-csharp"),
    package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
  },
  "generate-sdk": { module: goModule("companions"), package: "./generate-sdk" },
  "convert-examples": { module: goModule("companions"), package: "./convert-examples" },
  "java-and-csharp": { module: goModule("java-and-csharp"), package: "./java-and-csharp" },
} as const satisfies Record<string, Companion>;

export type CompanionName = keyof typeof COMPANIONS;

/**
 * Finds a companion beside a CLI or on PATH, or builds it with Go into the user's cache, and returns its path.
 * @throws Error when there is none, and Go cannot build it
 */
export async function provideCompanion(
  name: CompanionName,
  cli: PulumiCli,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const installed = await findInstalled(name, cli, env);
  if (installed !== undefined) return installed;
  const companion: Companion = COMPANIONS[name];
  return interruptible(async (signal) => {
    const folder = cacheFolderOf(env);
    const directory = path.join(folder.directory, `companions-${await digestOf(companion.module)}`);
    const target = executableIn(directory, name);
    if (await isExecutable(target)) return target;
    await mkdir(directory, { recursive: true });
    const context = { version: cli.version, env, signal, report: toStderr };
    await withLock(path.join(directory, "lock"), signal, async () => {
      if (!(await isExecutable(target))) await buildInto(directory, name, folder, context);
    });
    return target;
  });
}

async function findInstalled(
  name: CompanionName,
  { binary }: PulumiCli,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const beside = executableIn(path.dirname(await realpath(binary)), name);
  if (await isExecutable(beside)) return beside;
  return (await onPath(name, env))[0];
}

/** Changes with everything that a module pins and holds, so that a changed one is built again. */
async function digestOf(module: string): Promise<string> {
  const files = (await readdir(module, { recursive: true })).filter((file) => /\.(go|mod|sum)$/.test(file));
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(file).update(await readFile(path.join(module, file)));
  return hash.digest("hex").slice(0, 12);
}

async function buildInto(
  directory: string,
  name: CompanionName,
  folder: CacheFolder,
  context: BuildContext,
): Promise<void> {
  const companion: Companion = COMPANIONS[name];
  await folder.staged(async (staging) => {
    await compile(name, [companion], staging, context);
    if (companion.script !== undefined) await addScript(companion.module, companion.script, directory);
    // Last: the presence of the program says that all of it is there.
    await rename(executableIn(staging, name), executableIn(directory, name));
  });
}

async function addScript(
  cwd: string,
  { module, file }: NonNullable<Companion["script"]>,
  directory: string,
): Promise<void> {
  const place = (await runChild("go", ["list", "-m", "-f", "{{.Dir}}", module], { cwd })).trim();
  // Go keeps modules as files that cannot be executed.
  const text = await readFile(path.join(place, file));
  await writeFile(path.join(directory, path.basename(file)), text, { mode: 0o755 });
}
