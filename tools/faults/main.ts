import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { endStarted } from "../../testkit/started";
import { run } from "../run";
import { cells, faultPage, verdict } from "./report";
import { runScenarios, type Row } from "./run";
import { scenarios, titleOf } from "./scenarios";

const usage = `npm run faults -- [--only <text> | --write]

Runs the Pulumi CLI with every fault of the simulator, where \`npm test\` runs a few, and prints a row for each operation.

  --only <text>  only the faults whose name, or whose profile, contains this text
  --write        makes docs/faults.md of the rows

The exit code is 1 if a rule is broken.
`;

const pageFile = path.resolve(__dirname, "../../docs/faults.md");

const print = (row: Row): void => {
  process.stdout.write(`${[titleOf(row), ...cells(row)].join(" | ")}\n`);
};

async function main(args: readonly string[]): Promise<number> {
  const options = {
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  const { only, write, help } = parseArgs({ args: [...args], options }).values;
  if (help) process.stdout.write(usage);
  if (help) return 0;
  if (write && only !== "") {
    process.stderr.write("--write needs all rows: leave out --only\n");
    return 1;
  }
  const chosen = scenarios.filter(({ name, profile = "" }) =>
    [name, profile].some((text) => text.includes(only)),
  );
  try {
    const rows = await runScenarios(chosen, print);
    if (write) await writeFile(pageFile, faultPage(await readFile(pageFile, "utf8"), rows));
    return rows.every((row) => verdict(row) === "ok") ? 0 : 1;
  } finally {
    await endStarted();
  }
}

run(main);
