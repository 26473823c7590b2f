import { readFile } from "node:fs/promises";
import path from "node:path";
import semver from "semver";
import { runChild } from "./child";
import { onPath } from "./executable";
import { withProgress, type Report } from "./progress";

/** A program that is compiled from a Go module. */
export interface Part {
  name: string;
  /** The folder with the `go.mod` and `go.sum` that pin everything that is compiled. */
  module: string;
  package: string;
}

export interface BuildContext {
  version: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  report: Report;
}

/** The folder of a Go module of this package. */
export const goModule = (name: string): string => path.join(__dirname, "go", name);

/** The first Go that can fetch a newer toolchain by itself. */
const firstSwitchingGo = "1.21.0";

export async function compile(go: string, part: Part, output: string, context: BuildContext): Promise<void> {
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

/** The path of a Go that compiles the modules, itself or with a newer toolchain that it fetches. `directory` is outside of them. */
export async function requireGo(
  directory: string,
  modules: readonly string[],
  { env, signal }: Pick<BuildContext, "env" | "signal">,
): Promise<string> {
  const [go] = await onPath("go", env);
  if (go === undefined) throw new Error("no go on PATH");
  // Outside of the modules: inside them an old Go fails, or fetches a newer one, before it answers.
  const text = await runChild(go, ["env", "GOVERSION", "GOTOOLCHAIN"], {
    cwd: directory,
    env,
    signal,
  });
  const [installed = "", toolchain = ""] = text.split(/\r?\n/);
  const needed = await requiredGoVersion(modules);
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

/** The oldest Go that modules compile with, as their `go.mod` files say. */
export async function requiredGoVersion(modules: readonly string[]): Promise<string> {
  const texts = await Promise.all(modules.map((module) => readFile(path.join(module, "go.mod"), "utf8")));
  const versions = texts.map((text) => semver.coerce(/^go (\S+)$/m.exec(text)?.[1])?.version ?? "0.0.0");
  return versions.sort(semver.rcompare)[0] ?? "0.0.0";
}
