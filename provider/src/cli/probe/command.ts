import { Command } from "commander";
import type { Output } from "../output";
import type { ProbeOptions } from "./probe";

const HELP = `
Examples:
  $ datapipes probe
      compares the service of the selected stack with the API document and with what the provider assumes; sends GETs only
  $ datapipes probe --write --name-prefix probe- --pipe pipe.json
      also creates the pipe of the file, changes it, and deletes it

--pipe names a JSON file with the arguments of a Pipe, such as { "source": { … }, "destination": { … } }. It is created under a name
that begins with the prefix. If the service deletes it, the probe creates it again, twice under one name if the service lets it, and
deletes both. What the service does not delete is named at the end, also after a failure and after Ctrl-C.

The output has no secret, no value of a pipe, and no id without --ids. --json prints { findings: [{ assumption, document, seen, verdict,
promise, simulator }], left }. A verdict is "as assumed", "handled" (the service differs, and each promise holds), "not handled" or
"unknown"; "simulator" has the flags of datapipes-simulator that behave like it.
Exit codes: 0 done, 1 failed or something is not handled, 2 wrong usage.`;

export const probeCommand = (output: Output): Command =>
  new Command("probe")
    .description("Tell where a service differs from the API document and from what the provider assumes.")
    .option("--write", "also create, change and delete one pipe", false)
    .option("--name-prefix <text>", "with --write: how the name of the pipe begins")
    .option("--pipe <file>", "with --write: JSON file with the arguments of the pipe")
    .option("--ids", "show the ids of pipes", false)
    .option("--stack <name>", "stack whose configuration to read (default: the selected one)")
    .option("--json", "print the result as one JSON object", false)
    .addHelpText("after", HELP)
    .action(async (options: ProbeOptions, command: Command) => {
      const { write, namePrefix = "", pipe = "" } = options;
      if (write && (namePrefix === "" || pipe === ""))
        command.error("error: --write needs --name-prefix <text> and --pipe <file>");
      if (!write && (namePrefix !== "" || pipe !== ""))
        command.error("error: --name-prefix and --pipe need --write");
      // Loads `@pulumi/pulumi`, which `datapipes doctor` may find missing.
      const { probe } = await import("./probe.js");
      await probe(options, output);
    });
