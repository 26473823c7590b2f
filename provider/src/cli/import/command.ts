import { Command, InvalidArgumentError, Option } from "commander";
import { isUuid } from "../../values/uuid";
import type { Output } from "../output";
import type { ImportOptions } from "./import";

const HELP = `
Examples:
  $ npx pulumi-datapipes import
      writes index.ts for all pipes of the configured service; then one \`pulumi up\` takes them over
  $ npx pulumi-datapipes import --mode import
      also writes import.json, to take over the pipes with \`pulumi import\`

The command reads the configuration of the stack that is selected in this folder, else the environment.
It skips the pipes that the stack manages already, and changes nothing in the service.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

const collect = (text: string, texts: readonly string[] = []): readonly string[] => [
  ...new Set([...texts, text]),
];

function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}

const OPTIONS: readonly Option[] = [
  new Option("--out <folder>", "where to write").default("."),
  new Option("--service <id>", "service to read, repeatable (default: datapipes:serviceId)").argParser(
    (text, ids: readonly string[] | undefined) => collect(uuid(text), ids),
  ),
  new Option("--organization <id>", "default: datapipes:organizationId").argParser(uuid),
  new Option("--only <name or id>", "only these pipes, repeatable; * is any text").argParser(collect),
  new Option("--mode <mode>", "how to take over").choices(["adopt", "import"]).default("adopt"),
  new Option("--split <by>", "one file for each group, and index.ts").choices(["kind", "service"]),
  new Option("--with-credentials", "declare credentials as secrets of the configuration"),
  new Option("--stack <name>", "stack to read (default: the selected one)"),
  new Option("--force", "overwrite existing files"),
  new Option("--json", "print the result as one JSON object"),
];

export function importCommand(output: Output): Command {
  const command = new Command("import").description(
    "Write a program that matches the pipes of a service, and takes them over without a change.",
  );
  for (const option of OPTIONS) command.addOption(option);
  return command.addHelpText("after", HELP).action(async (options: ImportOptions) => {
    // Loads `@pulumi/pulumi`, which `datapipes doctor` may find missing.
    const { importPipes } = await import("./import.js");
    await importPipes(options, output);
  });
}
