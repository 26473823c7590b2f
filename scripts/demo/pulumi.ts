import { spawn } from "node:child_process";
import { showsColors, styledText, type Style } from "../../provider/src/cli/style";
import { ended } from "../pulumi-cli/child";
import type { PulumiCli } from "../pulumi-cli/provision";
import type { Workspace } from "./workspace";

export interface PulumiInDemo {
  cli: PulumiCli;
  workspace: Workspace;
  /** Ends what runs, and lets nothing new begin. */
  signal: AbortSignal;
}

/** A text in a style, where the terminal has colours. */
export const shown = (style: Style, text: string): string =>
  showsColors(process.stdout) ? styledText(style, text) : text;

/** Shows a command and runs it, with its output on the screen. Fails when it fails. */
export async function pulumi(demo: PulumiInDemo, args: readonly string[], visible = args): Promise<void> {
  demo.signal.throwIfAborted();
  process.stdout.write(`\n${shown("cyan", `$ pulumi ${visible.join(" ")}`)}\n`);
  const color = showsColors(process.stdout) ? "always" : "never";
  const child = spawn(demo.cli.binary, [...args, "--non-interactive", "--color", color], {
    cwd: demo.workspace.project,
    env: demo.cli.environment(demo.workspace.environment),
    // A group of its own: Ctrl-C at a terminal reaches it once, through us, and all that it started can be ended.
    detached: process.platform !== "win32",
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await ended(child, demo.signal, () => {
    // On the first SIGINT the CLI gives up what it does, ends its plugins and writes its state.
    child.kill("SIGINT");
  });
  demo.signal.throwIfAborted();
  if (code !== 0)
    throw new Error(`pulumi ${args[0] ?? ""} failed (${code === null ? "killed" : `exit code ${code}`})`);
}
