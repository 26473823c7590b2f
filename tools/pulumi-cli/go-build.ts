import { copyFile, readFile, rename } from "node:fs/promises";
import path from "node:path";
import semver from "semver";
import type { CacheFolder } from "./cache";
import { runChild } from "./child";
import type { FillContext } from "./download";
import {
  cliName,
  dynamicPluginName,
  executableIn,
  isExecutable,
  languageHostName,
  onPath,
} from "./executable";
import { usableVersion } from "./installed";
import { withProgress } from "./progress";
import { sdkDirectory } from "./search-path";

interface Part {
  name: string;
  /** The folder with the `go.mod` and `go.sum` that pin everything that is compiled. */
  module: string;
  package: string;
}

const modules = path.join(__dirname, "go");

/** The quick one first: what stops a build is then seen early. */
const parts: readonly Part[] = [
  {
    name: languageHostName,
    module: path.join(modules, "language-host"),
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  {
    name: cliName,
    module: path.join(modules, "cli"),
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  },
];

/** The first Go that can fetch a newer toolchain by itself. */
const firstSwitchingGo = "1.21.0";

/** Fills the cache folder with a Go build; a part that an earlier run finished is kept. */
export async function fillByGoBuild(context: FillContext): Promise<void> {
  const { folder } = context;
  const go = await requireGo(context);
  for (const part of parts) {
    const target = executableIn(folder.bin, part.name);
    if (await isExecutable(target)) continue;
    await folder.staged(async (staging) => {
      const built = executableIn(staging, part.name);
      await build(go, part, built, context);
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

async function build(go: string, part: Part, output: string, context: FillContext): Promise<void> {
  const { version, env, signal, report } = context;
  let compiled = 0;
  const onLine = (line: string) => {
    // With -v the compiler names each package; what is fetched is announced as "go: downloading …".
    if (!line.startsWith("go: ")) compiled += 1;
  };
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const args = ["build", "-v", "-mod=readonly", "-tags", "osusergo,grpcnotrace", "-ldflags", flags];
  const what = `building ${part.name} with Go, which takes minutes the first time`;
  await withProgress(
    report,
    what,
    () =>
      runChild(go, [...args, "-o", output, part.package], {
        cwd: part.module,
        env: buildEnv(env),
        signal,
        onLine,
      }),
    () => `, ${compiled} packages compiled`,
  );
}

/** The user's Go settings stay (proxies above all); what would build something else than asked is taken out. */
function buildEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GOWORK: "off", GO111MODULE: "on", CGO_ENABLED: "0", GOOS: undefined, GOARCH: undefined };
}

async function requireGo({ folder, env, signal }: FillContext): Promise<string> {
  const [go] = await onPath("go", env);
  if (go === undefined) throw new Error("no go on PATH");
  // Outside of the modules: inside them an old Go fails, or fetches a newer one, before it answers.
  const text = await runChild(go, ["env", "GOVERSION", "GOTOOLCHAIN"], {
    cwd: folder.directory,
    env,
    signal,
  });
  const [installed = "", toolchain = ""] = text.split(/\r?\n/);
  const needed = await requiredGoVersion();
  const version = semver.coerce(installed);
  if (version === null || semver.gte(version, needed)) return go;
  if (semver.lt(version, firstSwitchingGo))
    throw new Error(`${go} is ${installed}, and Go ${needed} is needed`);
  if (toolchain.startsWith("local")) {
    throw new Error(
      `${go} is ${installed}, Go ${needed} is needed, and GOTOOLCHAIN=${toolchain} forbids fetching a newer one`,
    );
  }
  return go;
}

/** The oldest Go that the pinned modules compile with, as their `go.mod` files say. */
export async function requiredGoVersion(): Promise<string> {
  const texts = await Promise.all(parts.map((part) => readFile(path.join(part.module, "go.mod"), "utf8")));
  const versions = texts.map((text) => semver.coerce(/^go (\S+)$/m.exec(text)?.[1])?.version ?? "0.0.0");
  return versions.sort(semver.rcompare)[0] ?? "0.0.0";
}
