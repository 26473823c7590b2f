import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { datapipesCommand } from "../../provider/src/cli/command/command";
import { isInNpmTest } from "../jest/tiers";
import { commandsIn, documentFiles, isForUsers, readDocument } from "../kit/documents";

const repository = path.resolve(__dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(repository, file), "utf8");

const documents = documentFiles().map(readDocument);

/** The commands for users and developers, as their words. */
const commands = documents
  .filter(({ file }) => isForUsers(file) || [".github/CONTRIBUTING.md", "AGENTS.md"].includes(file))
  .flatMap((document) => commandsIn(document).map((words) => ({ file: document.file, words })));

/** Commands that npx can find by their name on the registry, too: the packages have the same name. */
const PACKAGES = ["pulumi-datapipes", "pulumi-datapipes-simulator"];

/** What is wrong with a call through npx, or of `datapipes`: an unknown subcommand or option. */
function defectOfDatapipes(words: readonly string[]): string | undefined {
  const isNpx = words[0] === "npx";
  const isPackage = isNpx && PACKAGES.includes(words[1] ?? "");
  // Where a package is missing, npx would install another one that has the name of the command.
  if (isNpx && !isPackage && (words[1] !== "--no" || words[2] !== "--")) return "npx without --no --";
  const tool = isNpx && !isPackage ? words[3] : undefined;
  if (tool?.startsWith("datapipes") === true) return "npx pulumi-datapipes is shorter";
  if (tool !== undefined && !existsSync(path.join(repository, "node_modules/.bin", tool)))
    return `no ${tool}`;
  const [command, name, ...more] = isPackage ? words.slice(1) : words;
  const isOwn = command === "datapipes" || command === "pulumi-datapipes";
  if (!isOwn || name === undefined || name === "…") return undefined;
  const program = datapipesCommand({ result: () => undefined, progress: () => undefined });
  const called = name.startsWith("-") ? program : program.commands.find((each) => each.name() === name);
  if (called === undefined) return `no command ${name}`;
  const known = new Set(["--help", ...called.options.map(({ long }) => long)]);
  const options = [name, ...more].filter((word) => word.startsWith("--"));
  return options.map((option) => option.split("=")[0] ?? "").find((option) => !known.has(option));
}

test("every `datapipes` command and every npm script in the documents exists, with its options", () => {
  const own = commands.filter(({ words }) => words.includes("pulumi-datapipes"));
  expect(own.length).toBeGreaterThan(5);
  const found = commands.map(({ file, words }) => ({ file, words, defect: defectOfDatapipes(words) }));
  expect(found.filter(({ defect }) => defect !== undefined)).toEqual([]);
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: object };
  const called = commands.filter(({ words: [npm, run] }) => npm === "npm" && run === "run");
  expect(called.length).toBeGreaterThan(5);
  const scriptOf = (words: readonly string[]) => words.slice(2).find((word) => !word.startsWith("-")) ?? "";
  expect(called.filter(({ words }) => !(scriptOf(words) in scripts))).toEqual([]);
});

describe("the table of promises in tests/README.md", () => {
  const SUITES = ["engine", "plugin", "api", "cli", "languages"];
  const rows = [...textOf("tests/README.md").matchAll(/^\| ([^*|]+?) *\| `(\w+\/[\w/-]+)` *\|$/gm)];
  const named = readDocument("tests/README.md").inlineCode.filter((code) => /^[a-z]+\/[a-z/-]+$/.test(code));
  const files = readdirSync(path.join(repository, "tests"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => file.replaceAll("\\", "/").replace(".test.ts", ""));

  test("has one test file for each promise, and each of them exists", () => {
    const proofs = rows.map(([, , proof = ""]) => proof);
    expect(proofs.length).toBeGreaterThan(60);
    expect(proofs.filter((proof) => !files.includes(proof))).toEqual([]);
    const ofSuites = named.filter((name) => SUITES.includes(name.split("/")[0] ?? ""));
    expect(ofSuites.filter((name) => !files.includes(name))).toEqual([]);
  });

  test.each(["Creating", "Replacing", "Deleting", "Secrets"])(
    "has proofs in `npm test` for %s",
    (section) => {
      const [, text = ""] = textOf("tests/README.md").split(`| **${section}** `);
      const proofs = [...(text.split("| **")[0] ?? "").matchAll(/`(\w+\/[\w/-]+)` *\|$/gm)].map(
        ([, file = ""]) => file,
      );
      expect(proofs.length).toBeGreaterThan(2);
      expect(proofs.filter((file) => !isInNpmTest(file))).toEqual([]);
    },
  );

  test("and the list of inner rules name every test file of the main suites", () => {
    const ofSuites = files.filter((file) => SUITES.includes(file.split("/")[0] ?? ""));
    expect(ofSuites.filter((file) => !named.includes(file))).toEqual([]);
    expect(ofSuites.length).toBeGreaterThan(60);
  });
});
