import { writeFile } from "node:fs/promises";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { stopSimulators } from "../../tests/support/simulator";
import { disposeStacks } from "../../tests/support/stack";
import { providePulumi } from "../pulumi-cli/provision";
import { faultPage, verdict } from "./page";
import type { Row } from "./row";
import { breaches } from "./rules";
import { play, type Play } from "./stage";
import { parts } from "./trouble";
import { happened, seen } from "./words";
import { run } from "../run";

const usage = `usage: npm run faults [-- --write]

Plays every fault of the simulator against every kind of operation on the real engine, and prints what happened.
With --write, docs/faults.md is made of it. The exit code is 1 when a rule is broken.
`;

const target = path.resolve(__dirname, "../../docs/faults.md");

async function main(args: readonly string[]): Promise<number> {
  const [option, ...others] = args;
  if (others.length > 0 || (option !== undefined && option !== "--write")) {
    process.stderr.write(usage);
    return 2;
  }
  await providePulumi();
  const start = Date.now();
  const plays = await playAll();
  const rows = plays.flatMap((played) => played.rows);
  const complaints = plays.flatMap((played) => played.complaints);
  const broken = rows.filter((row) => breaches(row).length > 0);
  for (const complaint of complaints) process.stdout.write(`\nbroken: ${complaint}\n`);
  const seconds = Math.round((Date.now() - start) / 1000);
  process.stdout.write(
    `\n${rows.length} rows in ${seconds} s, ${broken.length + complaints.length} broken\n`,
  );
  if (option === "--write") {
    const style = await resolveConfig(target);
    await writeFile(target, await format(faultPage(rows), { ...style, parser: "markdown" }));
  }
  return broken.length + complaints.length === 0 ? 0 : 1;
}

/** All parts side by side: most of their time is waiting. */
async function playAll(): Promise<readonly Play[]> {
  try {
    let number = 0;
    const numbered = parts.map((troubles) => [troubles, (number += troubles.length)] as const);
    return await Promise.all(numbered.map(([troubles, end]) => play(troubles, end - troubles.length, print)));
  } finally {
    await disposeStacks();
    await stopSimulators();
  }
}

const titleOf = ({ act, trouble: { profile } }: Row): string =>
  profile === undefined ? act.title : `${profile}: ${act.title}`;

function print(rows: readonly Row[]): void {
  for (const row of rows) {
    const mark = breaches(row).length === 0 ? "ok    " : "BROKEN";
    process.stdout.write(`${mark} ${titleOf(row)} | ${row.trouble.name} | ${happened(row)} | ${seen(row)}\n`);
    if (mark === "BROKEN") process.stdout.write(`       ${verdict(row)}\n`);
  }
}

run(main);
