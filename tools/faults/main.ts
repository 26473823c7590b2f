import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { stopSimulators } from "../../testkit/simulator";
import { disposeStacks } from "../../testkit/stack";
import { providePulumi } from "../pulumi-cli/provision";
import { run } from "../run";
import { parts, type FaultCase } from "./fault-case";
import { faultPage, verdict } from "./page";
import type { Row } from "./row";
import { breaches } from "./rules";
import { runFaults, type Report } from "./runner";
import { happened, seen } from "./words";

const usage = `usage: npm run faults [-- --write | --only <text>]

Runs every kind of operation with every fault of the simulator on the real engine, and prints what happened.

  --only <text>  only the faults whose name, or whose profile, contains this text
  --write        makes docs/faults.md of the rows

The exit code is 1 if a rule is broken.
`;

const target = path.resolve(__dirname, "../../docs/faults.md");

interface Options {
  readonly help: boolean;
  readonly write: boolean;
  readonly only: string | undefined;
}

/** The options; undefined when they make no sense. */
function optionsOf(args: readonly string[]): Options | undefined {
  const known = { write: { type: "boolean" }, only: { type: "string" }, help: { type: "boolean" } } as const;
  try {
    const { help = false, write = false, only } = parseArgs({ args: [...args], options: known }).values;
    return write && only !== undefined ? undefined : { help, write, only };
  } catch {
    return undefined;
  }
}

async function main(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined || options.help) {
    (options?.help === true ? process.stdout : process.stderr).write(usage);
    return options?.help === true ? 0 : 2;
  }
  await providePulumi();
  const start = Date.now();
  const reports = await runParts(chosenParts(options.only));
  const rows = reports.flatMap((report) => report.rows);
  const complaints = reports.flatMap((report) => report.complaints);
  const broken = rows.filter((row) => breaches(row).length > 0);
  for (const complaint of complaints) process.stdout.write(`\nbroken: ${complaint}\n`);
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stdout.write(
    `\n${rows.length} rows in ${seconds} s, ${broken.length + complaints.length} broken\n`,
  );
  if (options.write) {
    const style = await resolveConfig(target);
    await writeFile(target, await format(faultPage(rows), { ...style, parser: "markdown" }));
  }
  return broken.length + complaints.length === 0 && rows.length > 0 ? 0 : 1;
}

const chosenParts = (only = ""): readonly (readonly FaultCase[])[] =>
  parts
    .map((part) => part.filter(({ name, profile = "" }) => name.includes(only) || profile.includes(only)))
    .filter((part) => part.length > 0);

/** Runs all parts at the same time, because most of their time is waiting. */
async function runParts(chosen: readonly (readonly FaultCase[])[]): Promise<readonly Report[]> {
  try {
    let number = 0;
    const numbered = chosen.map((part) => [part, (number += part.length)] as const);
    return await Promise.all(numbered.map(([part, end]) => runFaults(part, end - part.length, print)));
  } finally {
    await disposeStacks();
    await stopSimulators();
  }
}

const titleOf = ({ operation, faultCase: { profile } }: Row): string =>
  profile === undefined ? operation.title : `${profile}: ${operation.title}`;

function print(rows: readonly Row[]): void {
  for (const row of rows) {
    const mark = breaches(row).length === 0 ? "ok    " : "BROKEN";
    process.stdout.write(
      `${mark} ${titleOf(row)} | ${row.faultCase.name} | ${happened(row)} | ${seen(row)}\n`,
    );
    if (mark === "BROKEN") process.stdout.write(`       ${verdict(row)}\n`);
  }
}

run(main);
