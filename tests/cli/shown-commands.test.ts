import { runPulumi } from "../kit/cli";
import { commandsIn, documentFiles, isForUsers, readDocument } from "../kit/documents";

/** The words after `pulumi`, called by its name or with `npm run pulumi --`; none in other commands. */
function pulumiCall(words: readonly string[]): readonly (readonly string[])[] {
  if (words[0] === "pulumi") return [words.slice(1)];
  const own = words.indexOf("--");
  return words[0] === "npm" && words[2] === "pulumi" && own > 0 ? [words.slice(own + 1)] : [];
}

/** What is wrong with a call; undefined if the CLI knows the command and its options. */
async function defectOf(call: readonly string[]): Promise<string | undefined> {
  // After "--" comes the command that `pulumi env run` starts.
  const own = call.includes("--") ? call.slice(0, call.indexOf("--")) : call;
  // Twice, because an option whose value the document leaves out takes the first.
  const help = ["--help", "--help"];
  const { code, output } = await runPulumi([...own, ...help], { cwd: process.cwd(), env: process.env });
  if (code !== 0) return output.trim();
  // For an unknown command, the CLI prints the help of its group.
  const group = /^ +pulumi((?: [a-z-]+)*) \[command\]$/m.exec(output)?.[1];
  const names = own.filter((word) => /^[a-z]/.test(word)).map((name) => ` ${name}`);
  return group === undefined || group === names.join("") ? undefined : `not in the group "pulumi${group}"`;
}

async function defectsOf(calls: readonly (readonly string[])[]): Promise<string[]> {
  const different = new Map(calls.map((call) => [`pulumi ${call.join(" ")}`, call]));
  const defects: string[] = [];
  for (const [line, call] of different) {
    const defect = await defectOf(call);
    if (defect !== undefined) defects.push(`${line}: ${defect}`);
  }
  return defects;
}

test("every pulumi command in the documents exists, with its options", async () => {
  const documents = documentFiles().filter(isForUsers).map(readDocument);
  const calls = documents.flatMap((document) => commandsIn(document).flatMap(pulumiCall));
  expect(calls.length).toBeGreaterThan(10);
  expect(await defectsOf([...calls, ["upp"], ["stack", "exprt"], ["up", "--yess"]])).toEqual([
    'pulumi upp: not in the group "pulumi"',
    'pulumi stack exprt: not in the group "pulumi stack"',
    "pulumi up --yess: error: unknown flag: --yess",
  ]);
});
