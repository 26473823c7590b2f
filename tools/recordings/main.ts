import { parseArgs } from "node:util";
import { keep } from "../made-files";
import { run } from "../run";
import { fileOf, guidesWith, keptRecordings } from "./files";
import { COLUMNS, NAMES, record } from "./record";

const usage = `usage: npm run recordings [-- <options> [<name> …]]

Runs the real CLI in a terminal of ${COLUMNS} columns against the simulator, keeps its screens in docs/recordings, and puts them between
the marks of docs/guides: <!-- recording: <name> --> and <!-- /recording -->. A name that ends with .svg is a picture, with the
colors of the terminal. Without names, all are made.

  --check          writes nothing; exit code 1 if a recording or a guide is not as it should be
  --fill           runs nothing; puts the kept recordings between the marks
  --columns <n>    prints the recordings of a terminal of that width, and writes nothing

Names: ${NAMES.join(", ")}
`;

const options = {
  check: { type: "boolean", default: false },
  fill: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  columns: { type: "string" },
} as const;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const columns = Number(values.columns ?? COLUMNS);
  const isWrong = positionals.some((name) => !NAMES.includes(name)) || !(columns >= 40);
  if (isWrong || values.help) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  const wanted = positionals.length > 0 ? positionals : NAMES;
  if (values.columns !== undefined) {
    for (const [name, text] of await record(wanted, columns)) process.stdout.write(`━━ ${name}\n${text}\n`);
    return 0;
  }
  const made = values.fill ? new Map<string, string>() : await record(wanted);
  const isCheck = values.check;
  const files = [...made].map(([name, text]) => ({ path: fileOf(name), text }));
  const code = await keep(files, { isCheck, command: "npm run recordings" });
  const guides = await guidesWith(await keptRecordings());
  return Math.max(code, await keep(guides, { isCheck, command: "npm run recordings -- --fill" }));
}

run(main);
