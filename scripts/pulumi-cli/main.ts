import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { run } from "../run";
import { providePulumi } from "./provision";

/** npm sends a signal on, which its process group has got already: two within this time are one. */
const SAME_SIGNAL_MS = 1_000;

/** npm changes to the root of the workspace before it runs a script, and notes where it was called. */
const callersDirectory = (): string | undefined =>
  process.env["npm_lifecycle_event"] === "pulumi" ? process.env["INIT_CWD"] : undefined;

/** Runs the CLI as if it had been called in the place of this process. */
run(async (args) => {
  const cli = await providePulumi();
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  let forwardedAt = -Infinity;
  const forward = (signal: NodeJS.Signals) => {
    // The terminal has sent Ctrl-C to the CLI, too, and a second one makes it stop at once and leave resources behind.
    if (signal === "SIGINT" && atTerminal) return;
    if (performance.now() - forwardedAt < SAME_SIGNAL_MS) return;
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
  process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
});
