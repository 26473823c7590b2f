import { Command } from "commander";
import type { Output } from "../output";
import type { DoctorOptions } from "./doctor";

const HELP = `
Examples:
  $ npx pulumi-datapipes doctor
      checks the project and the selected stack of this folder
  $ npx pulumi-datapipes doctor --stack production
      checks with the configuration of another stack
  $ npx pulumi-datapipes doctor --json
      prints { ok, findings: [{ check, status, message, fix }] }

The command sends one request, which lists the pipes of the configured service. It changes nothing, and
prints no secret.
Exit codes: 0 nothing needs fixing, 1 something needs fixing, 2 wrong usage.`;

export const doctorCommand = (output: Output): Command =>
  new Command("doctor")
    .description("Check the setup of a project: versions, package, settings, and the API.")
    .option("--stack <name>", "stack to read (default: the selected one)")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", HELP)
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./doctor.js");
      await doctor(options, output);
    });
