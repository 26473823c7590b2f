import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import type { RunPlace } from "../kit/cli";
import { PROCESS_MS } from "../kit/timeouts";

/** What ends a prompt, and what a person types there. */
export type Answers = Readonly<Record<string, string>>;

const COLUMNS = 200;

/** Runs a command in a terminal and answers its prompts; returns what the terminal showed. Needs the `script` of util-linux. */
export async function answered(command: string, answers: Answers, { cwd, env }: RunPlace): Promise<string> {
  const { CI: _, ...others } = env;
  const sized = `stty cols ${COLUMNS} rows 1000 && ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", sized, "/dev/null"], {
    cwd,
    env: { ...others, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const terminal = new Terminal({ cols: COLUMNS, rows: 1000, allowProposedApi: true });
  // The CLI asks the terminal for its colors and its cursor.
  terminal.onData((reply) => child.stdin.write(reply));
  let shown = "";
  child.stdout.on("data", (bytes: Buffer) => {
    terminal.write(bytes);
    shown += bytes.toString();
  });
  for (const [prompt, answer] of Object.entries(answers)) {
    const deadline = Date.now() + PROCESS_MS;
    while (!shown.includes(prompt)) {
      if (Date.now() > deadline) child.kill("SIGTERM");
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${command} ended without the prompt "${prompt}":\n${shown}`);
      await wait(50);
    }
    child.stdin.write(`${answer}\r`);
  }
  const [code] = (await ended) as [number | null];
  child.stdin.destroy();
  if (code !== 0) throw new Error(`${command} ended with ${code ?? "a signal"}:\n${shown}`);
  return shown;
}
