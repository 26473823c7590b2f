import { readFile } from "node:fs/promises";
import path from "node:path";
import { runChild } from "./child";
import { onPath } from "./executable";
import { withProgress, type Report } from "./progress";

/** A program that is compiled from a Go module. */
export interface Part {
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

/** One line for each package that is to be compiled, because the cache of Go lacks it. */
const stalePackages = ["list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}} {{.Module}}{{end}}"];

/** Compiles programs into a folder, each under the last name of its package. */
export async function compile(
  name: string,
  parts: readonly Part[],
  directory: string,
  { version, env, signal, report }: BuildContext,
): Promise<void> {
  const go = await requireGo(env);
  const flags = buildFlags(version);
  const run = (part: Part, command: readonly string[], onLine?: (line: string) => void) =>
    runChild(go, [...command, ...flags, part.package], {
      cwd: part.module,
      env: buildEnv(env),
      signal,
      onLine,
    });
  let compiled = 0;
  let total: number | undefined;
  const work = async () => {
    const lists = await Promise.all(parts.map((part) => run(part, stalePackages)));
    total = new Set(lists.join("").match(/.+/g)).size;
    for (const part of parts) {
      await run(part, ["build", "-v", "-o", directory + path.sep], () => (compiled += 1));
    }
  };
  const detail = () =>
    total === undefined
      ? ", fetching modules"
      : `, ${compiled.toLocaleString("en")} of about ${total.toLocaleString("en")} packages`;
  await withProgress(report, `building ${name} with Go`, work, detail);
}

/** What is the same in all builds: else they share no compiled package. */
function buildFlags(version: string): string[] {
  // The last tag leaves out 135 packages that only Google's storage over gRPC needs; the CLI uses it over HTTP.
  const tags = "osusergo,grpcnotrace,disable_grpc_modules";
  // Data for a debugger, which `-s -w` leaves out of the program, is a tenth of the compiler's work.
  const compiler = "all=-dwarf=false";
  const linker = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  return ["-mod=readonly", "-tags", tags, "-gcflags", compiler, "-ldflags", linker];
}

/** The user's Go settings stay (proxies above all); what would build something else than asked is taken out. */
function buildEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GOWORK: "off", GO111MODULE: "on", CGO_ENABLED: "0", GOOS: undefined, GOARCH: undefined };
}

async function requireGo(env: NodeJS.ProcessEnv): Promise<string> {
  const [go] = await onPath("go", env);
  if (go === undefined) throw new Error("no go on PATH");
  return go;
}

/** The oldest Go that compiles a module, as its `go.mod` says. */
export async function requiredGoVersion(module: string): Promise<string> {
  const text = await readFile(path.join(module, "go.mod"), "utf8");
  return /^go (\S+)$/m.exec(text)?.[1] ?? "";
}
