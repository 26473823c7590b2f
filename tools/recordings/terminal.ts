import { spawn } from "node:child_process";
import { once } from "node:events";
import { Terminal } from "@xterm/headless";

/** Higher than any output: nothing scrolls away. */
const ROWS = 1_000;

/** Where a command runs. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a command in a terminal of that width, and returns what it leaves there. Needs the `script` of util-linux. */
export async function terminalOf(command: string, { cwd, env }: Place, columns: number): Promise<Terminal> {
  const { CI: _, NO_COLOR: __, ...others } = env;
  const sized = `stty cols ${columns} rows ${ROWS} && ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", sized, "/dev/null"], {
    cwd,
    // Without these two, the CLI shows what it shows to people.
    env: { ...others, TERM: "xterm-256color", SHELL: "/bin/sh" },
    // An end of the input would be an end of the session.
    stdio: ["pipe", "pipe", "inherit"],
  });
  const terminal = new Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
  child.stdout.on("data", (bytes: Buffer) => {
    terminal.write(bytes);
  });
  await once(child, "close");
  child.stdin.destroy();
  await new Promise<void>((resolve) => {
    terminal.write("", resolve);
  });
  return terminal;
}

/** The lines of the screen; a line that the terminal has wrapped is one. */
export function linesOf(terminal: Terminal): readonly string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped === true) lines[lines.length - 1] = `${lines.at(-1) ?? ""}${text}`;
    else lines.push(text);
  }
  return lines;
}
