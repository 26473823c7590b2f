import { spawn } from "node:child_process";
import path from "node:path";
import { styleText } from "node:util";
import { withPulumi } from "../../tests/kit/cli";
import type { TestStack } from "../../tests/kit/stack";
import { repository } from "../made-files";
import { ended } from "./child";
import { providePulumi } from "../pulumi-cli/provision";

/** A text in a style, where the terminal has colors. */
export const shown = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout });

/** Shows commands and runs them on a stack, with their output on the screen, until `signal` ends them. */
export class DemoCommands {
  constructor(
    private readonly stack: TestStack,
    private readonly signal: AbortSignal,
  ) {}

  async pulumi(...args: readonly string[]): Promise<void> {
    const { binary } = await providePulumi({ report: () => undefined });
    await this.#run(`pulumi ${args.join(" ")}`, binary, [...args, "--non-interactive"]);
  }

  datapipes(command: string): Promise<void> {
    const bin = path.join(repository, "provider/bin/datapipes.js");
    return this.#run(`npx pulumi-datapipes ${command}`, process.execPath, [bin, command]);
  }

  async #run(command: string, file: string, args: readonly string[]): Promise<void> {
    this.signal.throwIfAborted();
    process.stdout.write(`\n${shown("cyan", `$ ${command}`)}\n`);
    const { cwd, env } = this.stack.place();
    const { NO_COLOR } = process.env;
    const child = spawn(file, args, {
      cwd,
      env: { ...(await withPulumi(env)), NO_COLOR },
      // A group of its own: Ctrl-C at a terminal reaches it once, through us, and all that it started can be ended.
      detached: process.platform !== "win32",
      stdio: ["ignore", "inherit", "inherit"],
    });
    // On the first SIGINT the CLI gives up what it does, ends its plugins and writes its state.
    const code = await ended(child, this.signal, () => child.kill("SIGINT"));
    this.signal.throwIfAborted();
    if (code !== 0) throw new Error(`${command} failed (${code === null ? "killed" : `exit code ${code}`})`);
  }
}
