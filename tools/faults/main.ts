import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { providePulumi } from "../pulumi-cli/provision";
import { run } from "../run";
import { cells, faultPage, verdict } from "./report";
import { runScenarios, type Row } from "./runner";
import { scenarios, type Scenario } from "./scenarios";
import { endStarted } from "../../testkit/started";

const usage = `usage: npm run faults [-- --write | --only <text>]

Runs every kind of operation with every fault of the simulator on the real engine, and prints what happened.

  --only <text>  only the faults whose name, or whose profile, contains this text
  --write        makes docs/faults.md of the rows

The exit code is 1 if a rule is broken.
`;

const target = path.resolve(__dirname, "../../docs/faults.md");

/** Stacks that run at the same time, because most of their time is waiting. */
const STACKS = 4;

async function main(args: readonly string[]): Promise<number> {
  const options = {
    write: { type: "boolean" },
    only: { type: "string" },
    help: { type: "boolean" },
  } as const;
  const { help, write, only = "" } = parseArgs({ args: [...args], options }).values;
  if (write && only !== "") throw new Error("--write needs all rows: leave out --only");
  if (help) {
    process.stdout.write(usage);
    return 0;
  }
  await providePulumi();
  const start = Date.now();
  const rows = await runOnStacks(
    scenarios.filter(({ name, profile = "" }) => [name, profile].some((text) => text.includes(only))),
  );
  const broken = rows.filter((row) => verdict(row) !== "ok").length;
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stdout.write(`\n${rows.length} rows in ${seconds} s, ${broken} broken\n`);
  if (write) {
    const style = { ...(await resolveConfig(target)), parser: "markdown" };
    await writeFile(target, await format(faultPage(await readFile(target, "utf8"), rows), style));
  }
  return broken === 0 && rows.length > 0 ? 0 : 1;
}

async function runOnStacks(chosen: readonly Scenario[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const runPart = async (part: number): Promise<void> => {
    const own = chosen.filter((_, index) => index % STACKS === part);
    if (own.length === 0) return;
    for await (const row of runScenarios(own)) {
      rows.push(row);
      const { scenario, operation } = row;
      const title =
        scenario.profile === undefined ? operation.title : `${scenario.profile}: ${operation.title}`;
      process.stdout.write(`${[title, scenario.name, ...cells(row)].join(" | ")}\n`);
    }
  };
  try {
    await Promise.all(Array.from({ length: STACKS }, (_, part) => runPart(part)));
    return rows;
  } finally {
    await endStarted();
  }
}

run(main);
