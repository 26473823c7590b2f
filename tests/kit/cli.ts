import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cliName, environmentFor, executableIn, pathKey } from "../../scripts/pulumi-cli/executable";
import { providePulumi, type PulumiCli } from "../../scripts/pulumi-cli/provision";
import { temporaryFolder } from "./cleanup";
import { PROCESS_MS } from "./timeouts";

export const cliFailureVariable = "DATAPIPES_TEST_CLI_FAILURE";

export interface RunPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Folders that come before all others on its PATH. */
  path?: readonly string[];
  /** Adds nothing to its PATH, not even the folder of the CLI. */
  keepPath?: boolean;
  /** Interrupts the run once its output has this text so often. */
  until?: { readonly text: string; readonly times: number };
}

export interface Run {
  command: string;
  code: number;
  stdout: string;
  stderr: string;
  output: string;
}

let provided: Promise<PulumiCli> | undefined;

function cli(): Promise<PulumiCli> {
  const failure = process.env[cliFailureVariable];
  if (failure !== undefined) throw new Error(failure);
  return (provided ??= providePulumi({ report: () => undefined }));
}

export const cliFolder = async (): Promise<string> => path.dirname((await cli()).binary);

export const cliSource = async (): Promise<PulumiCli["source"]> => (await cli()).source;

/** The environment in which `pulumi` is the CLI that all tests use. */
export const withPulumi = async (env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> =>
  (await cli()).environment(env);

/** The environment without a `pulumi` on its PATH. The CLI itself runs by its path, and finds its companions in its folder. */
export async function withoutPulumi(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const key = pathKey(env);
  const folders = (env[key] ?? "").split(path.delimiter);
  const others = folders.filter((folder) => !existsSync(executableIn(folder, cliName)));
  // The folder of the CLI may have Node.js, too.
  const node = await temporaryFolder("node");
  await symlink(process.execPath, path.join(node, "node"));
  return { ...env, [key]: [node, ...others].join(path.delimiter) };
}

export async function runPulumi(args: readonly string[], place: RunPlace): Promise<Run> {
  const { binary } = await cli();
  count(args, place.env);
  return runCommand(binary, args, place, `pulumi ${args.join(" ")}`);
}

function count([command = ""]: readonly string[], env: NodeJS.ProcessEnv): void {
  const file = process.env["DATAPIPES_TEST_RUNS"];
  const isCold = env["PULUMI_DEBUG_LANGUAGES"] === undefined;
  if (file !== undefined) appendFileSync(file, `${isCold ? "cold " : ""}${command}\n`);
}

export function runDatapipes(args: readonly string[], place: RunPlace): Promise<Run> {
  const file = path.resolve(__dirname, "../../provider/bin/datapipes.js");
  return runCommand(process.execPath, [file, ...args], place, `datapipes ${args.join(" ")}`);
}

/** Runs any command to its end, whatever its exit code, with the real CLI on its PATH. `shown` is the command in messages. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, path: first = [], keepPath = false, until }: RunPlace,
  shown = [command, ...args].join(" "),
): Promise<Run> {
  const environment = keepPath ? env : environmentFor(first, await withPulumi(env));
  const child = spawn(command, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "", output: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      said.output += text;
      if (until && said.output.split(until.text).length > until.times) child.kill("SIGINT");
    });
  // A run that hangs: the error shows its output. SIGINT lets the CLI end the processes that it started.
  const timer = setTimeout(() => child.kill("SIGINT"), PROCESS_MS);
  const [code] = (await once(child, "close").finally(() => {
    clearTimeout(timer);
  })) as [number | null];
  return { command: shown, code: code ?? -1, ...said };
}

/** A process, with its command line. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** The processes that a process has started, and those that they have started. */
export async function descendantsOf(ancestor: number): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]);
  const all = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    args,
  }));
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(ancestor);
}
