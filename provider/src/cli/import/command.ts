import { Command, InvalidArgumentError, Option } from "commander";
import { isUuid } from "../../values/uuid";
import type { Output } from "../output";
import type { ImportOptions } from "./import";

const HELP = `
Examples:
  $ datapipes import
      writes index.ts and import.json for all pipes of the service that the stack's configuration names
  $ datapipes import --only 'orders-*' --out pipes
      some pipes, into another folder, from which the program of the project imports them
  $ datapipes import --mode adopt
      for stacks that only a pipeline may change: the program adopts the pipes at the next \`pulumi up\`

The command reads the configuration of the stack that is selected in this folder, else the environment. It changes nothing in the service.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** `datapipes import`. */
export const importCommand = (output: Output): Command =>
  new Command("import")
    .description(
      "Write a program that matches the pipes of a service, and the file that brings them under Pulumi without a change.",
    )
    .option("--out <folder>", "where to write", ".")
    .option(
      "--service <id>",
      "service to read; may be given several times (default: datapipes:serviceId)",
      collectId,
    )
    .option("--organization <id>", "organization of the services (default: datapipes:organizationId)", uuid)
    .option(
      "--only <name or id>",
      "only these pipes; * stands for any text; may be given several times",
      collect,
    )
    .addOption(
      new Option("--mode <mode>", "how the stack takes over the pipes")
        .choices(["import", "adopt"])
        .default("import"),
    )
    .option("--with-credentials", "declare credentials as secrets of the stack's configuration", false)
    .option("--stack <name>", "stack whose configuration to read (default: the selected one)")
    .option("--force", "overwrite existing files", false)
    .option("--json", "print the result as one JSON object", false)
    .addHelpText("after", HELP)
    .action(async (options: ImportOptions) => {
      // Loads `@pulumi/pulumi`, which `datapipes doctor` may find missing.
      const { importPipes } = await import("./import.js");
      await importPipes(options, output);
    });

const collect = (text: string, texts: readonly string[] = []): readonly string[] => [...texts, text];

const collectId = (text: string, ids: readonly string[] = []): readonly string[] => [
  ...new Set([...ids, uuid(text)]),
];

function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}
