/** A process that runs the compiled `datapipes` command once for each message, and stays: starting Node.js takes longer than a run. */
import path from "node:path";
import { createRequire } from "node:module";
import type * as command from "../../provider/src/cli/command/command";
import type { Run, RunPlace } from "../../testkit/cli";

export type CommandMessage = Pick<RunPlace, "cwd" | "env"> & { readonly args: readonly string[] };

const dist = path.resolve(__dirname, "../../provider/dist") + path.sep;
const load = createRequire(__filename);

async function runOnce({ args, env, cwd }: CommandMessage): Promise<Run> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  for (const file of Object.keys(load.cache))
    if (file.startsWith(dist)) Reflect.deleteProperty(load.cache, file);
  const { run } = load(path.join(dist, "cli/command/command.js")) as typeof command;
  const said = { stdout: "", stderr: "", output: "" };
  const to = (name: "stdout" | "stderr") => (text: string) => {
    said[name] += text;
    said.output += text;
  };
  const code = await run(args, { result: to("stdout"), progress: to("stderr") });
  return { command: `datapipes ${args.join(" ")}`, code, ...said };
}

process.on("message", (message: CommandMessage) => {
  void runOnce(message).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit(0));
