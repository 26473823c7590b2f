import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { check, lock } from "proper-lockfile";
import { executableIn, onPath } from "../executable";
import { pinnedVersion } from "../release";
import type { Report } from "../report";

const TICK_MS = 30_000;
const MAX_OUTPUT_BYTES = 2 ** 26;

/** A program that is compiled from a Go module. */
export interface Program {
  readonly name: string;
  /** The folder with the `go.mod` and `go.sum` that pin everything that is compiled. */
  readonly module: string;
  readonly package: string;
}

export interface BuildContext {
  readonly env: NodeJS.ProcessEnv;
  readonly report: Report;
}

/** The folder of a Go module of this package. */
export const goModule = (name: string): string => path.join(__dirname, name);

/** The folder with what is built for the pinned CLI. */
export function buildFolder(env: NodeJS.ProcessEnv): string {
  const cache = env["DATAPIPES_TOOLS_CACHE"] ?? path.join(homedir(), ".cache/pulumi-datapipes");
  return path.resolve(cache, `pulumi-${pinnedVersion}`);
}

/** Compiles the programs that a folder lacks. A second run waits for the first one. */
export async function build(
  what: string,
  programs: readonly Program[],
  directory: string,
  context: BuildContext,
): Promise<void> {
  if ((await onPath("go", context.env)).length === 0) throw new Error("no go on PATH");
  await mkdir(directory, { recursive: true });
  if (await check(directory)) context.report(`another run is building ${what}, waiting for it`);
  const release = await lock(directory, { retries: { forever: true, maxTimeout: 1_000 } });
  try {
    const missing = programs.filter(({ name }) => !existsSync(executableIn(directory, name)));
    if (missing.length > 0) await compile(what, missing, directory, context);
  } finally {
    await release();
  }
}

async function compile(
  what: string,
  programs: readonly Program[],
  directory: string,
  { env, report }: BuildContext,
): Promise<void> {
  const start = performance.now();
  const isStale = "{{if .Stale}}{{.ImportPath}} {{.Module}}{{end}}";
  let progress = "fetching modules";
  const say = () => {
    const seconds = Math.round((performance.now() - start) / 1_000);
    report(`building ${what} with Go: ${seconds} s, ${progress}`);
  };
  say();
  const timer = setInterval(say, TICK_MS);
  try {
    const lists = await Promise.all(
      programs.map((program) => runGo(["list", "-deps", "-f", isStale], program, env)),
    );
    const total = new Set(lists.join("").match(/.+/g)).size;
    let compiled = 0;
    progress = `${total} packages`;
    for (const program of programs) {
      const target = executableIn(directory, program.name);
      // Renamed at the end, so that an interrupted build leaves no broken program.
      await runGo(["build", "-v", "-o", `${target}.new`], program, env, (count) => {
        compiled += count;
        progress = `${compiled} of about ${total} packages`;
      });
      await rename(`${target}.new`, target);
    }
  } finally {
    clearInterval(timer);
    say();
  }
}

/** Runs Go for a program, and returns its stdout. */
async function runGo(
  command: readonly string[],
  program: Program,
  env: NodeJS.ProcessEnv,
  onLines: (count: number) => void = () => undefined,
): Promise<string> {
  const running = promisify(execFile)("go", [...command, ...BUILD_FLAGS, program.package], {
    cwd: program.module,
    // The user's Go settings stay (proxies above all), but for what would build something else than asked.
    env: { ...env, GOWORK: "off", GO111MODULE: "on", CGO_ENABLED: "0", GOOS: undefined, GOARCH: undefined },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  running.child.stderr?.on("data", (text: string) => {
    onLines(text.split("\n").length - 1);
  });
  return (await running).stdout;
}

/** What is the same in all builds: else they share no compiled package. */
const BUILD_FLAGS: readonly string[] = [
  "-mod=readonly",
  // The last tag leaves out 135 packages that only Google's storage over gRPC needs; the CLI uses it over HTTP.
  "-tags=osusergo,grpcnotrace,disable_grpc_modules",
  // Data for a debugger, which `-s -w` leaves out of the program, is a tenth of the compiler's work.
  "-gcflags=all=-dwarf=false",
  `-ldflags=-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinnedVersion}`,
];
