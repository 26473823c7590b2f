import { runPulumi } from "../kit/cli";
import { commandsIn, documentFiles, isForUsers, readDocument } from "../kit/documents";

/** The words after `pulumi`, called by its name or with `npm run pulumi --`; none in other commands. */
function pulumiCall(words: readonly string[]): readonly (readonly string[])[] {
  if (words[0] === "pulumi") return [words.slice(1)];
  const own = words.indexOf("--");
  return words[0] === "npm" && words[2] === "pulumi" && own > 0 ? [words.slice(own + 1)] : [];
}

const isName = (word: string): boolean => /^[a-z][a-z-]*$/.test(word);

const place = { cwd: process.cwd(), env: process.env };

/** What the CLI's help says of a command, by its words. */
const helps = new Map<string, Promise<string>>();
const helpOf = (names: readonly string[]): Promise<string> => {
  const key = names.join(" ");
  const help = helps.get(key) ?? runPulumi([...names, "--help"], place).then(({ output }) => output);
  helps.set(key, help);
  return help;
};

/** What is wrong with a call; undefined if the CLI knows the command and its options. */
async function defectOf(call: readonly string[]): Promise<string | undefined> {
  const names: string[] = [];
  for (const word of call.filter((each) => !each.startsWith("-"))) {
    if (!isName(word)) break;
    const subcommands = (await helpOf(names)).split(/^Flags:/m)[0] ?? "";
    // An alias is not in the list: `pulumi state delete` is that of `pulumi state remove`.
    const isAlias = async (): Promise<boolean> =>
      new RegExp(`^Aliases:\\n.*\\b${word}\\b`, "m").test(await helpOf([...names, word]));
    if (!new RegExp(`^ +${word} `, "m").test(subcommands) && !(await isAlias())) {
      if (names.length === 0) return `no command ${word}`;
      break;
    }
    names.push(word);
  }
  const help = await helpOf(names);
  // After "--" comes the command that `pulumi env run` starts.
  const own = call.includes("--") ? call.slice(0, call.indexOf("--")) : call;
  const options = own.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split("=")[0] ?? "");
  return options.find((option) => !new RegExp(`(?:^|\\s)${option}(?![\\w-])`, "m").test(help));
}

test("every pulumi command in the documents exists, with its options", async () => {
  const documents = documentFiles().filter(isForUsers).map(readDocument);
  const calls = documents.flatMap((document) => commandsIn(document).flatMap(pulumiCall));
  expect(calls.length).toBeGreaterThan(10);
  const defects: string[] = [];
  for (const call of [...calls, ["upp"], ["up", "--yess"]]) {
    const defect = await defectOf(call);
    if (defect !== undefined) defects.push(`pulumi ${call.join(" ")}: ${defect}`);
  }
  expect(defects).toEqual(["pulumi upp: no command upp", "pulumi up --yess: --yess"]);
});
