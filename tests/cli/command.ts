import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { withPulumi, type Run } from "../../testkit/cli";
import { onEnd } from "../../testkit/started";
import type { CommandMessage } from "./command-host";

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs the `datapipes` command with the real CLI on its PATH, in a process that the tests of a file share. */
export const datapipes = async (
  args: readonly string[],
  { env, cwd }: Omit<CommandMessage, "args">,
): Promise<Run> => ofHost({ args, env: await withPulumi(env), cwd });

/** As `datapipes`, with the environment as it is. */
export async function ofHost(message: CommandMessage): Promise<Run> {
  // One run at a time: they share the environment and the folder of their process.
  const result = last.then(async () => {
    const child = (host ??= start());
    child.send(message);
    const [run] = (await once(child, "message")) as [Run];
    return run;
  });
  last = result.catch(() => undefined);
  return result;
}

function start(): ChildProcess {
  const child = fork(path.join(__dirname, "command-host.ts"), [], {
    execArgv: ["--require", "ts-node/register/transpile-only"],
  });
  // The error ends the wait for a message. A signal is that of the end of the tests.
  child.once("exit", (code) => {
    if (code !== null) child.emit("error", new Error("The process of the commands has ended."));
  });
  onEnd(() => {
    child.kill();
    host = undefined;
    return Promise.resolve();
  });
  return child;
}
