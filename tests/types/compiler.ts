import { dirname, join } from "node:path";
import ts from "typescript";

const CONFIG = join(__dirname, "../tsconfig.json");

/** What is known of the last run, so that only what has changed since is checked again. */
const BUILD_INFO = join(__dirname, "../../node_modules/.cache/pulumi-datapipes/types.tsbuildinfo");

/** What the compiler says of a place: a line, counted from 1, and the text that it underlines. */
export type Diagnostic = Readonly<Record<"file" | "place" | "message", string>> & { readonly line: number };

/** Names and imports that are not used: excerpts of programs have some. */
const UNUSED: readonly number[] = [6133, 6192, 6196, 6198, 6199];

/**
 * The compiler's messages for all that `tests/tsconfig.json` names, and for `texts`, which are files of this folder that do not exist.
 * One program holds everything, because what takes long is to read the libraries and the provider.
 */
export function diagnosticsOf(texts: Readonly<Record<string, string>>): readonly Diagnostic[] {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as { config: object };
  const { options: common, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(CONFIG));
  const options = { ...common, incremental: true, tsBuildInfoFile: BUILD_INFO };
  const host = ts.createIncrementalCompilerHost(options);
  // The compiler writes all paths with slashes.
  const folder = __dirname.replaceAll("\\", "/");
  const given = new Map(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]));
  const disk = { ...host };
  host.fileExists = (file) => given.has(file) || disk.fileExists(file);
  host.readFile = (file) => given.get(file) ?? disk.readFile(file);
  const rootNames = [...fileNames, ...given.keys()];
  const program = ts.createIncrementalProgram({ rootNames, options, host });
  const diagnostics = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  program.emit();
  return diagnostics
    .filter(({ file, code }) => !(given.has(file?.fileName ?? "") && UNUSED.includes(code)))
    .map(({ file, start = 0, length = 0, messageText }) => ({
      file: file?.fileName ?? "",
      line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
      place: file?.text.slice(start, start + length) ?? "",
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
}
