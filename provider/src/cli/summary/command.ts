import { text } from "node:stream/consumers";
import { Command } from "commander";
import type { Output } from "../output";

/** GitHub takes comments of 65,536 characters. */
const MAX_LENGTH = 60_000;

const HELP = `
Examples:
  $ pulumi preview --json | npx pulumi-datapipes summary
      what the next \`pulumi up\` does
  $ pulumi refresh --preview-only --json | npx pulumi-datapipes summary
      what was changed elsewhere
  $ npx pulumi-datapipes summary preview.json --title "Production"

The text shows no secrets, even if \`pulumi preview\` ran with --show-secrets.
Exit codes: 0 done, 1 the input is not the JSON of a preview, 2 wrong usage.`;

export const summaryCommand = (output: Output): Command =>
  new Command("summary")
    .description(
      "Convert the output of `pulumi preview --json` to Markdown, for a comment on a pull request.",
    )
    .argument("[file]", "file with the JSON (default: standard input)")
    .option("--title <text>", "heading, in Markdown (default: the command and the stack)")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, { title }: { readonly title?: string }) => {
      const [{ summaryOf }, { textOf }] = await Promise.all([import("./summary.js"), import("./preview.js")]);
      if (file === undefined && process.stdin.isTTY)
        output.progress("Waiting for the output of `pulumi preview --json` on standard input …\n");
      const json = await (file === undefined ? text(process.stdin) : textOf(file));
      output.result(summaryOf(json, { title, maxLength: MAX_LENGTH }));
    });
