import { dirname, join } from "node:path";
import ts from "typescript";
import type { CodeBlock } from "../kit/documents";
import { language as sdks } from "../../plugin/schema.json";

const CONFIG = join(__dirname, "../tsconfig.json");

/** What the compiler says of a place: a line, counted from 1, and the text that it underlines. */
export type Diagnostic = Readonly<Record<"file" | "place" | "message", string>> & { readonly line: number };

/** Names and imports that are not used: excerpts of programs have some. */
const UNUSED: readonly number[] = [6133, 6192, 6196, 6198, 6199];

/**
 * The compiler's messages for `right.ts`, and for `texts`, which are files of this folder that do not exist. One
 * program holds everything, because what takes long is to read the libraries and the provider.
 */
export function diagnosticsOf(texts: Readonly<Record<string, string>>): readonly Diagnostic[] {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as { config: object };
  const { options: common } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(CONFIG));
  const options = { ...common, types: ["node"] };
  const host = ts.createCompilerHost(options);
  // The compiler writes all paths with slashes.
  const folder = __dirname.replaceAll("\\", "/");
  const given = new Map(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]));
  const disk = { ...host };
  host.fileExists = (file) => given.has(file) || disk.fileExists(file);
  host.readFile = (file) => given.get(file) ?? disk.readFile(file);
  const rootNames = [`${folder}/right.ts`, ...given.keys()];
  const program = ts.createProgram({ rootNames, options, host });
  // `tsc` checks the provider.
  const diagnostics = rootNames.flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return diagnostics
    .filter(({ file, code }) => !(given.has(file?.fileName ?? "") && UNUSED.includes(code)))
    .map(({ file, start = 0, length = 0, messageText }) => ({
      file: file?.fileName ?? "",
      line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
      place: file?.text.slice(start, start + length) ?? "",
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
}

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
