import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { run } from "../run";
import { providePulumi, type PulumiCli } from "./provision";

/** A terminal sends Ctrl-C to all processes, and npm sends it on once more: these are one. */
const sameInterruptMilliseconds = 1_000;

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
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** npm changes to the root of the workspace before it runs a script, and notes where it was called. */
function callersDirectory(): string {
  const { npm_lifecycle_event: script, INIT_CWD: directory } = process.env;
  return script === "pulumi" && directory !== undefined ? directory : process.cwd();
}

run(async (args) => {
  process.exitCode = await runCli(await providePulumi(), args);
});
