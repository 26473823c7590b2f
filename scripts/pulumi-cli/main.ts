import { spawn } from "node:child_process";
import { constants } from "node:os";
import { providePulumi, type PulumiCli } from "./provision";

/** A terminal sends Ctrl-C to all processes, and npm sends it on once more: these are one. */
const sameInterruptMilliseconds = 1_000;

async function main(): Promise<void> {
  const cli = await providePulumi();
  process.exitCode = await runCli(cli, process.argv.slice(2));
}

/** Runs the CLI as if it had been called in the place of this process, and returns its exit code. */
async function runCli(cli: PulumiCli, args: readonly string[]): Promise<number> {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  let forwardedAt = -Infinity;
  const forward = (signal: NodeJS.Signals) => {
    // The terminal has sent the signal to the CLI already, and a second one makes it stop at once and leave resources behind.
    if (signal === "SIGINT" && atTerminal) return;
    if (performance.now() - forwardedAt < sameInterruptMilliseconds) return;
    forwardedAt = performance.now();
    child.kill(signal);
  };
  // Before the CLI starts: a signal that came in between would end this process and leave the CLI alone.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, forward);
  const child = spawn(cli.binary, args, {
    cwd: callersDirectory(),
    env: cli.environment(),
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** npm changes to the root of the workspace before it runs a script, and notes where it was called. */
function callersDirectory(): string {
  const { npm_lifecycle_event: script, INIT_CWD: directory } = process.env;
  return script === "pulumi" && directory !== undefined ? directory : process.cwd();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
