import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { interruptible } from "../pulumi-cli/interrupt";
import { run } from "../run";
import { Copy, REPOSITORY } from "./copy";
import { defectOf, type Damage } from "./damage";
import { DAMAGES } from "./list";
import { countsOf, DAMAGES_PAGE, damagesPage, isFound, lineOf, outcomeTable } from "./page";
import { alreadyFailing, searchFor, type Outcome } from "./search";
import { TIERS } from "./tests";

/** How many of all damages the tests without the CLI must find. */
const MIN_QUICK = 30;

const usage = `usage: npm run damages [-- <options> [<text> …]]

Plants mistakes that a person could make, one at a time, in a copy of the repository, and says which tier of the tests finds each, after
how long, and whether the failed test names the place. With a text, only those that have it in their name or file.

  --whole        runs whole tiers up to the first failure, not only the tests that should find the mistake
  --shard <i/n>  only every n-th of them, from the i-th on
  --json         prints the outcomes as JSON
  --write        makes ${DAMAGES_PAGE} of a run of all
  --check        runs nothing; exit code 1 if a mistake cannot be planted because the code has changed

The exit code is 1 if a mistake is not found, or if ${TIERS.quick} finds fewer than ${MIN_QUICK} of all.
`;

const options = {
  whole: { type: "boolean", default: false },
  shard: { type: "string" },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The damages whose name or file has one of the texts; none if a text is in no damage. */
function named(texts: readonly string[]): readonly Damage[] {
  const matches = (text: string) => DAMAGES.filter((damage) => isMatch(damage, text));
  if (texts.some((text) => matches(text).length === 0)) return [];
  return texts.length === 0
    ? DAMAGES
    : DAMAGES.filter((damage) => texts.some((text) => isMatch(damage, text)));
}

const isMatch = ({ name, file }: Damage, text: string): boolean =>
  `${name}\n${file}`.toLowerCase().includes(text.toLowerCase());

/** Every n-th damage from the i-th on; none if the text is not i/n. */
function shardOf(damages: readonly Damage[], text = "1/1"): readonly Damage[] {
  const [, first = "", count = ""] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return damages.filter((_, index) => index % Number(count) === Number(first) - 1);
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const damages = shardOf(named(positionals), values.shard);
  if (values.help || damages.length === 0) {
    process.stderr.write(values.help ? usage : `${usage}\n${DAMAGES.map(({ name }) => name).join("\n")}\n`);
    return values.help ? 0 : 2;
  }
  const isComplete = damages.length === DAMAGES.length;
  if (values.write && !isComplete)
    throw new Error("--write needs all mistakes: leave out the texts and --shard.");
  const stale = damages.flatMap((damage) => defectOf(damage, textOf(damage)) ?? []);
  for (const line of stale) say(line);
  if (stale.length > 0 || values.check) return stale.length > 0 ? 1 : 0;
  const outcomes = await interruptible((signal) =>
    Copy.use(signal, (copy) => outcomesIn(copy, damages, values.whole)),
  );
  const found = outcomes.filter(isFound).length;
  if (values.json) process.stdout.write(`${JSON.stringify(outcomes.map(asJson), undefined, 2)}\n`);
  else process.stdout.write(`${outcomeTable(outcomes)}\n\n${countsOf(outcomes)}\n`);
  if (values.write) writeFileSync(path.join(REPOSITORY, DAMAGES_PAGE), damagesPage(outcomes, values.whole));
  const quick = outcomes.filter(({ tier }) => tier === "quick").length;
  return found === outcomes.length && (!isComplete || quick >= MIN_QUICK) ? 0 : 1;
}

const textOf = ({ file }: Damage): string => readFileSync(path.join(REPOSITORY, file), "utf8");

async function outcomesIn(copy: Copy, damages: readonly Damage[], isWhole: boolean): Promise<Outcome[]> {
  say(`building a copy in ${copy.root} …`);
  await copy.build();
  if (!isWhole) {
    say("running the expected tests without a mistake …");
    const failing = await alreadyFailing(copy, damages);
    if (failing.length > 0)
      throw new Error(
        `these fail without any mistake:\n${failing.map(({ file, name }) => `${file}: ${name}`).join("\n")}`,
      );
  }
  const outcomes: Outcome[] = [];
  for (const [index, damage] of damages.entries()) {
    const outcome = await searchFor(copy, damage, isWhole);
    outcomes.push(outcome);
    say(`${index + 1}/${damages.length} ${lineOf(outcome)}`);
  }
  return outcomes;
}

const asJson = ({ damage: { name, file }, ...outcome }: Outcome): object => ({ name, file, ...outcome });

run(main);
