import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { withPulumi, type Run } from "../../testkit/cli";
import { onEnd } from "../../testkit/started";
import type { CommandMessage, CommandResult } from "./command-host";

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs the `datapipes` command with the real CLI on its PATH, in a process that the tests of a file share. */
export async function datapipes(
  args: readonly string[],
  { env, cwd }: Pick<CommandMessage, "env" | "cwd">,
): Promise<Run> {
  const message: CommandMessage = { args, env: await withPulumi(env), cwd };
  return ofHost(message);
}

/** As `datapipes`, with the environment as it is. */
export async function ofHost(message: CommandMessage): Promise<Run> {
  // One run at a time: they share the environment and the folder of their process.
  const result = last.then(() => ask(message));
  last = result.catch(() => undefined);
  return { command: `datapipes ${message.args.join(" ")}`, ...(await result) };
}

async function ask(message: CommandMessage): Promise<CommandResult> {
  const child = (host ??= start());
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, "exit", { signal }).then(() => {
    throw new Error("The process of the commands has ended.");
  });
  child.send(message);
  try {
    const [result] = (await Promise.race([once(child, "message", { signal }), ended])) as [CommandResult];
    return result;
  } finally {
    over.abort();
  }
}

function start(): ChildProcess {
  const child = fork(path.join(__dirname, "command-host.ts"), [], {
    execArgv: ["--require", "ts-node/register/transpile-only"],
  });
  onEnd(() => {
    child.kill();
    host = undefined;
    return Promise.resolve();
  });
  return child;
}
