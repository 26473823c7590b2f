import { dirname, join } from "node:path";
import ts from "typescript";

const CONFIG = join(__dirname, "../tsconfig.json");

/** What the compiler has to say of files of this folder, under the options of all tests. */
function complaintsOf(...names: string[]): string[] {
  const { config } = ts.readConfigFile(CONFIG, (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(CONFIG));
  const program = ts.createProgram(
    names.map((name) => join(__dirname, name)),
    options,
  );
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes("node_modules"));
  return own
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map((diagnostic) => {
      const { line = 0 } = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0) ?? {};
      return `${diagnostic.file?.fileName ?? ""}:${line + 1} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
    });
}

test("right programs compile, wrong ones do not, and schema and arguments have the same fields", () => {
  expect(complaintsOf("right.ts", "wrong.ts", "laws.ts")).toEqual([]);
}, 120_000);
