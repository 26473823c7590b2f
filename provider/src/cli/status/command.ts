import { Command, InvalidArgumentError } from "commander";
import type { Output } from "../output";
import type { StatusOptions } from "./status";

const WATCH_SECONDS = 15;

const HELP = `
Examples:
  $ npx pulumi-datapipes status
      all pipes of the services of the stack, and which resources manage them
  $ npx pulumi-datapipes status --unmanaged
      for a pipeline: exit code 1 if a pipe is managed by no resource of the stack
  $ npx pulumi-datapipes status --watch 30
      prints it every 30 seconds, until Ctrl-C
  $ npx pulumi-datapipes status --json
      prints { pipes: [{ id, name, serviceId, state, kind, table, resource, duplicates }] }

The command reads the configuration and the state of the stack that is selected in this folder, else the
environment. It sends one request for each service, listPipes, and changes nothing.
Exit codes: 0 done, 1 failed, or a pipe is in such a state, 2 wrong usage.`;

export const statusCommand = (output: Output): Command =>
  new Command("status")
    .description(
      "List the pipes of the services of a stack: states, tables, what manages them, and what loads twice.",
    )
    .option("--stack <name>", "stack to read (default: the selected one)")
    .option(
      "--fail-on <states>",
      "exit code 1 if a managed pipe has one of these states, separated by commas",
      statesOf,
      ["Failed", "InternalError"],
    )
    .option("--unmanaged", "exit code 1 if a pipe is managed by no resource of the stack", false)
    .option(
      "--watch [seconds]",
      `print it again and again (default: every ${WATCH_SECONDS} seconds)`,
      secondsOf,
    )
    .option("--json", "print the result as one JSON object", false)
    .addHelpText("after", HELP)
    .action(async ({ watch, ...options }: Omit<StatusOptions, "watch"> & { watch?: true | number }) => {
      const { status } = await import("./status.js");
      await status(
        { ...options, ...(watch !== undefined && { watch: watch === true ? WATCH_SECONDS : watch }) },
        output,
      );
    });

function statesOf(value: string): readonly string[] {
  const states = value.split(",").map((state) => state.trim());
  if (states.includes("")) throw new InvalidArgumentError("It must be names of states, separated by commas.");
  return states;
}

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (!(seconds >= 1 && seconds <= 86_400))
    throw new InvalidArgumentError("It must be a number from 1 to 86400.");
  return seconds;
}
