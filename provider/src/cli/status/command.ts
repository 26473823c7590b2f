import { Command, InvalidArgumentError, Option } from "commander";
import type { Output } from "../output";
import type { StatusOptions } from "./status";

const WATCH_SECONDS = 15;

const HELP = `
Examples:
  $ npx pulumi-datapipes status --unmanaged
      for a pipeline: exit code 1 if a pipe is not managed by any resource of the stack
  $ npx pulumi-datapipes status --watch 30
      prints the table every 30 seconds, until Ctrl-C

The command reads the configuration and the state of the stack that is selected in this folder, else the
environment. It sends one request for each service, listPipes, and changes nothing.
--json prints { pipes: [{ id, name, serviceId, state, kind, table, resource, duplicates }] }, and
unread: [{ serviceId, error }] if a service could not be read.
A service that only explicit providers of the program can read is a line, which says how to list it.
Exit codes: 0 done, 1 failed, or the result of --fail-on or --unmanaged, 2 wrong usage.`;

const OPTIONS: readonly Option[] = [
  new Option("--stack <name>", "stack to read (default: the selected one)"),
  new Option("--fail-on <states>", "exit code 1 if a managed pipe is in one of these states (a,b)")
    .argParser(statesOf)
    .default(["failed", "internalerror"], "Failed,InternalError"),
  new Option("--unmanaged", "exit code 1 if a pipe is not managed by any resource of the stack"),
  new Option("--watch [seconds]", "print the table again at this interval, in seconds")
    .argParser(secondsOf)
    .preset(WATCH_SECONDS),
  new Option("--json", "print the result as one JSON object"),
];

export function statusCommand(output: Output): Command {
  const command = new Command("status").description(
    "List the pipes of the services of a stack: states, tables, what manages them, and which load the same data.",
  );
  for (const option of OPTIONS) command.addOption(option);
  return command.addHelpText("after", HELP).action(async (options: StatusOptions) => {
    const { status } = await import("./status.js");
    await status(options, output);
  });
}

function statesOf(value: string): readonly string[] {
  const states = value.split(",").map((state) => state.trim().toLowerCase());
  if (states.includes("")) throw new InvalidArgumentError("It must be names of states, separated by commas.");
  return states;
}

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (!(seconds >= 1 && seconds <= 86_400))
    throw new InvalidArgumentError("It must be a number from 1 to 86400.");
  return seconds;
}
