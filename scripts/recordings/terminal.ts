import { spawn } from "node:child_process";
import { once } from "node:events";
import { Terminal } from "@xterm/headless";

/** Larger than any output: no line is wrapped, and no line scrolls away. */
const SIZE = { cols: 1_000, rows: 1_000 };

/** Where a command runs. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a command in a terminal, and returns the text that it leaves there. Needs the `script` of util-linux. */
export async function screenOf(command: string, { cwd, env }: Place): Promise<string> {
  const { CI: _, NO_COLOR: __, ...others } = env;
  const sized = `stty cols ${SIZE.cols} rows ${SIZE.rows} && ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", sized, "/dev/null"], {
    cwd,
    // Without these two, the CLI shows what it shows to people.
    env: { ...others, TERM: "xterm-256color", SHELL: "/bin/sh" },
    // An end of the input would be an end of the session.
    stdio: ["pipe", "pipe", "inherit"],
  });
  const terminal = new Terminal({ ...SIZE, allowProposedApi: true });
  child.stdout.on("data", (bytes: Buffer) => {
    terminal.write(bytes);
  });
  await once(child, "close");
  child.stdin.destroy();
  await new Promise<void>((resolve) => {
    terminal.write("", resolve);
  });
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_row, index) => active.getLine(index));
  return rows.map((row) => row?.translateToString(true).trimEnd() ?? "").join("\n");
}
