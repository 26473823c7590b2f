import type { CodeBlock } from "../../testkit/documents";

const IMPORTS = `import * as pulumi from "@pulumi/pulumi"; import * as datapipes from "pulumi-datapipes";`;
const PREAMBLE = `${IMPORTS} const config = new pulumi.Config();`;

/** The names of a comment `<!-- code: … -->`; any other text is TypeScript to compile before the block. */
const NOTES: Readonly<Record<string, (code: string, before: string) => string>> = {
  /** The block goes on where the one before it on the page ends. */
  continued: (code, before) => `${before}\n${code}`,
  /** The block has members of the arguments of a pipe. */
  "pipe arguments": (code) => `${PREAMBLE} export const args: Partial<datapipes.PipeArgs> = {\n${code}\n};`,
  /** The block has members of the options of a resource. */
  "resource options": (code) =>
    `${PREAMBLE} export const opts: pulumi.CustomResourceOptions = {\n${code}\n};`,
};

/** The whole text of a block: a module as it is, a fragment behind the usual imports. */
function moduleOf({ code, note = "" }: CodeBlock, before: string): string {
  const wrap = NOTES[note];
  if (wrap !== undefined) return wrap(code, before);
  const isModule = /^import /m.test(code);
  return `${isModule ? "" : PREAMBLE} ${note}\n${code}`;
}

/** The modules of a page, by the place of their blocks. */
export function modulesOf(blocks: readonly CodeBlock[]): Record<string, string> {
  let before = "";
  const modules = blocks
    .filter(({ language }) => ["ts", "typescript"].includes(language))
    .map((block) => {
      before = moduleOf(block, before);
      // Only ES modules may wait at the top.
      const extension = /^(?:const .* = )?await /m.test(before) ? "mts" : "ts";
      return [`${block.file.replaceAll("/", "·")}:${block.line}.${extension}`, `${before}\nexport {};`];
    });
  return Object.fromEntries(modules) as Record<string, string>;
}
