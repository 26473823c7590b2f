import { readFileSync } from "node:fs";
import path from "node:path";
import { datapipesCommand } from "../../provider/src/cli/command";
import { commandsIn, documentFiles, isForUsers, parseDocument, readDocument } from "../../testkit/documents";

const repository = path.resolve(__dirname, "../..");
const { scripts } = JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const files = [...documentFiles().filter(isForUsers), "CONTRIBUTING.md", "AGENTS.md"];
const commands = files.flatMap((file) => commandsIn(readDocument(file)).map((words) => ({ file, words })));

const silent = { result: () => undefined, progress: () => undefined };

/** What is wrong with a call of `datapipes`: an unknown subcommand or option. */
function defectOfDatapipes([name, ...words]: readonly string[]): string | undefined {
  const program = datapipesCommand(silent);
  if (name === undefined || name === "…") return undefined;
  if (name.startsWith("-")) return unknownOption(program, [name]);
  const subcommand = program.commands.find((each) => each.name() === name);
  return subcommand === undefined ? `no command ${name}` : unknownOption(subcommand, words);
}

type Command = ReturnType<typeof datapipesCommand>;

function unknownOption(command: Command, words: readonly string[]): string | undefined {
  const known = new Set(["--help", ...command.options.map(({ long }) => long)]);
  return words
    .filter((word) => word.startsWith("--"))
    .map((word) => word.split("=")[0] ?? "")
    .find((option) => !known.has(option));
}

/** The words behind `datapipes`, called through npx or by its name; undefined if the command is another one. */
function datapipesCall(words: readonly string[]): readonly string[] | undefined {
  const own = words[0] === "npx" ? words.slice(1) : words;
  return own[0] === "datapipes" ? own.slice(1) : undefined;
}

test("every `datapipes` command in the documents exists, with its options", () => {
  const calls = commands.flatMap(({ file, words }) => {
    const call = datapipesCall(words);
    return call === undefined ? [] : [{ file, call }];
  });
  expect(calls.length).toBeGreaterThan(5);
  const defects = calls.flatMap(({ file, call }) => {
    const defect = defectOfDatapipes(call);
    return defect === undefined ? [] : [`${file}: datapipes ${call.join(" ")}: ${defect}`];
  });
  expect(defects).toEqual([]);
});

test("every npm script in the documents exists", () => {
  const called = commands
    .filter(({ words: [npm, run] }) => npm === "npm" && run === "run")
    .map(({ file, words }) => ({ file, script: words.slice(2).find((word) => !word.startsWith("-")) }));
  expect(called.length).toBeGreaterThan(5);
  expect(called.filter(({ script = "" }) => !(script in scripts))).toEqual([]);
});

test("finds commands in blocks and in text, and what is wrong with them", () => {
  const page =
    "Run `npx datapipes doctor --stack a`.\n\n```sh\nA=1 npm ci && npx datapipes import \\\n  --mod adopt # x\n```\n";
  const found = commandsIn(parseDocument("page.md", page));
  expect(found).toEqual([
    ["npm", "ci"],
    ["npx", "datapipes", "import", "--mod", "adopt"],
    ["npx", "datapipes", "doctor", "--stack", "a"],
  ]);
  expect(found.map((words) => defectOfDatapipes(datapipesCall(words) ?? []))).toEqual([
    undefined,
    "--mod",
    undefined,
  ]);
  expect(defectOfDatapipes(["imports"])).toBe("no command imports");
});
