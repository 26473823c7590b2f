import type { CodeBlock } from "../../testkit/documents";
import { language as sdks } from "../../plugin/schema.json";

const IMPORTS = `import * as pulumi from "@pulumi/pulumi"; import * as datapipes from "pulumi-datapipes";`;
const PREAMBLE = `${IMPORTS} const config = new pulumi.Config();`;

/** The names of a comment `<!-- code: … -->`; any other text is TypeScript to compile before the block. */
const NOTES: Readonly<Record<string, (code: string, before: string) => string>> = {
  // The block goes on where the one before it on the page ends, or has members of arguments or of options.
  continued: (code, before) => `${before}\n${code}`,
  "pipe arguments": (code) => `${PREAMBLE} export const args: Partial<datapipes.PipeArgs> = {\n${code}\n};`,
  "resource options": (code) =>
    `${PREAMBLE} export const opts: pulumi.CustomResourceOptions = {\n${code}\n};`,
};

/** The modules of a page, by the place of their blocks: a module as it is, a fragment behind the usual imports. */
export function modulesOf(blocks: readonly CodeBlock[]): Record<string, string> {
  const modules: Record<string, string> = {};
  let text = "";
  for (const { file, line, language, code, note = "" } of blocks) {
    if (!["ts", "typescript"].includes(language)) continue;
    const isModule = /^import /m.test(code);
    text = NOTES[note]?.(code, text) ?? `${isModule ? "" : PREAMBLE} ${note}\n${code}`;
    // The generated SDK has the names and shapes of the package.
    text = text.replace(`"${sdks.nodejs.packageName}"`, '"pulumi-datapipes"');
    // Only ES modules may wait at the top.
    const extension = /^(?:const .* = )?await /m.test(text) ? "mts" : "ts";
    modules[`${file.replaceAll("/", "·")}:${line}.${extension}`] = `${text}\nexport {};`;
  }
  return modules;
}
