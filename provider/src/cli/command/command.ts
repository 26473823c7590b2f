import { Command, CommanderError } from "commander";
import { render } from "../../messages/next-steps";
import { VERSION } from "../../run/version";
import { doctorCommand } from "../doctor/command";
import { importCommand } from "../import/command";
import { statusCommand } from "../status/command";
import { summaryCommand } from "../summary/command";
import { printableOutput, processOutput, ReportedFailure, type Output } from "../output";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export const datapipesCommand = (output: Output): Command =>
  new Command("datapipes")
    .description(
      "Bring existing pipes under Pulumi, check the setup of a project, list its pipes, and summarize previews.",
    )
    .version(VERSION)
    .addCommand(importCommand(output))
    .addCommand(doctorCommand(output))
    .addCommand(statusCommand(output))
    .addCommand(summaryCommand(output))
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 wrong usage.");

/** Runs the `datapipes` command and returns its exit code. */
export async function run(args: readonly string[], to: Output = processOutput): Promise<number> {
  const output = printableOutput(to);
  const command = datapipesCommand(output);
  for (const each of [command, ...command.commands])
    each.exitOverride().configureOutput({ writeOut: output.result, writeErr: output.progress });
  try {
    await command.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    if (error instanceof ReportedFailure) return EXIT_FAILED;
    output.progress(`error: ${render(error)}\n`);
    return EXIT_FAILED;
  }
}
