import { dirname, join } from "node:path";
import ts from "typescript";

const CONFIG = join(__dirname, "../tsconfig.json");

/** What the compiler has to say of a place in the program. */
export interface Diagnostic {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The text that the compiler underlines. */
  readonly place: string;
  readonly message: string;
}

/**
 * The compiler's messages for files of this folder, under the options of all tests and `more`; `texts` replace files that do not exist.
 */
export function diagnosticsOf(
  names: readonly string[],
  texts: Readonly<Record<string, string>> = {},
  more: ts.CompilerOptions = {},
): Diagnostic[] {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as { config: object };
  const { options: common } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(CONFIG));
  const options = { ...common, ...more };
  const host = ts.createCompilerHost(options);
  const given = new Map(Object.entries(texts).map(([name, text]) => [join(__dirname, name), text]));
  const disk = { ...host };
  host.fileExists = (file) => given.has(file) || disk.fileExists(file);
  host.readFile = (file) => given.get(file) ?? disk.readFile(file);
  const program = ts.createProgram(
    [...names, ...Object.keys(texts)].map((name) => join(__dirname, name)),
    options,
    host,
  );
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes("node_modules"));
  return own
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(diagnosticOf);
}

function diagnosticOf({ file, start = 0, length = 0, messageText }: ts.Diagnostic): Diagnostic {
  return {
    file: file?.fileName ?? "",
    line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
    place: file?.text.slice(start, start + length) ?? "",
    message: ts.flattenDiagnosticMessageText(messageText, "\n"),
  };
}
