import { copyFile, rename } from "node:fs/promises";
import path from "node:path";
import type { CacheFolder } from "./cache";
import type { FillContext } from "./download";
import { cliName, dynamicPluginName, executableIn, isExecutable, languageHostName } from "./executable";
import { compile, goModule, requireGo, type Part } from "./go";
import { usableVersion } from "./installed";
import { sdkDirectory } from "./search-path";

/** The quick one first: what stops a build is then seen early. */
const PARTS: readonly Part[] = [
  {
    name: languageHostName,
    module: goModule("language-host"),
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  {
    name: cliName,
    module: goModule("cli"),
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  },
];

/** The folders of the Go modules that a CLI is built from. */
export const modulesOfCli = PARTS.map(({ module }) => module);

/** Fills the cache folder with a Go build; a part that an earlier run finished is kept. */
export async function fillByGoBuild(context: FillContext): Promise<void> {
  const { folder } = context;
  const go = await requireGo(folder.directory, modulesOfCli, context);
  for (const part of PARTS) {
    const target = executableIn(folder.bin, part.name);
    if (await isExecutable(target)) continue;
    await folder.staged(async (staging) => {
      const built = executableIn(staging, part.name);
      await compile(go, part, built, context);
      await rename(built, target);
    });
  }
  await addDynamicPlugin(folder);
  await prove(context);
}

async function prove({ version, folder, env, signal }: FillContext): Promise<void> {
  try {
    const got = await usableVersion(folder.cli, env, signal);
    if (got !== version) throw new Error(`version ${got} was built instead of ${version}`);
  } catch (error) {
    signal.throwIfAborted();
    // Else the next run would take it for a finished half.
    await folder.clear();
    throw error;
  }
}

/** The SDK's script would be found on PATH too, but at each run the CLI warns of a plugin that does not lie beside it. */
async function addDynamicPlugin(folder: CacheFolder): Promise<void> {
  await folder.staged(async (staging) => {
    for (const name of [dynamicPluginName, `${dynamicPluginName}.cmd`]) {
      const copy = path.join(staging, name);
      await copyFile(path.join(sdkDirectory(), name), copy);
      await rename(copy, path.join(folder.bin, name));
    }
  });
}
