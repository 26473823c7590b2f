import {
  documentFiles,
  isForUsers,
  parseDocument,
  readDocument,
  type CodeBlock,
} from "../../testkit/documents";
import { diagnosticsOf } from "./compiler";

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
function moduleOf({ code, note }: CodeBlock, before: string): string {
  const wrap = note === undefined ? undefined : NOTES[note];
  if (wrap !== undefined) return wrap(code, before);
  const isModule = /^import /m.test(code);
  if (note !== undefined) return isModule ? `${note}\n${code}` : `${PREAMBLE} ${note}\n${code}`;
  return isModule ? code : `${PREAMBLE}\n${code}`;
}

/** The modules of a page, by the place of their blocks. */
function modulesOf(blocks: readonly CodeBlock[]): Record<string, string> {
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

const mistakesIn = (modules: Readonly<Record<string, string>>): readonly string[] =>
  diagnosticsOf([], modules, { noUnusedLocals: false, noUnusedParameters: false }).map(
    ({ file, place, message }) => `${file.split("/").at(-1) ?? ""}: ${place}: ${message}`,
  );

test("every block of TypeScript in the documents compiles under strict", () => {
  const blocks = documentFiles()
    .filter(isForUsers)
    .flatMap((file) => readDocument(file).blocks);
  const modules = modulesOf(blocks);
  expect(Object.keys(modules).length).toBeGreaterThanOrEqual(4);
  expect(mistakesIn(modules)).toEqual([]);
}, 120_000);

test("no program in the documents exports a resource, whose outputs Pulumi would print at each run", () => {
  const exporting = documentFiles()
    .filter(isForUsers)
    .flatMap((file) => readDocument(file).blocks)
    .filter(({ code }) => /^\s*export const \w+ = new (?:datapipes|pulumi)\./m.test(code))
    .map(({ file, line }) => `${file}:${line}`);
  expect(exporting).toEqual([]);
});

test("a block that does not compile is found, in each form that a page can have", () => {
  const page = `
\`\`\`ts
import { Pipe } from "pulumi-datapipes";
export const pipe = new Pipe("a", { source: { kafka: { brokrs: "b" } } });
\`\`\`

<!-- code: continued -->

\`\`\`ts
pipe.nothing;
\`\`\`

<!-- code: pipe arguments -->

\`\`\`ts
deletionPolicy: "keep",
\`\`\`

<!-- code: declare const id: number; -->

\`\`\`ts
new datapipes.Pipe("a", { adopt: id });
\`\`\`

\`\`\`ts
export const late: = 1;
\`\`\`
`;
  const mistakes = mistakesIn(modulesOf(parseDocument("page.md", page).blocks));
  const places = mistakes.map((mistake) => mistake.split(": ").slice(0, 2).join(": "));
  expect(new Set(places)).toEqual(
    new Set([
      "page.md:3.ts: brokrs",
      "page.md:10.ts: brokrs",
      "page.md:10.ts: nothing",
      "page.md:16.ts: deletionPolicy",
      "page.md:22.ts: adopt",
      "page.md:26.ts: =",
    ]),
  );
}, 120_000);
