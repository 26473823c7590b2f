import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { formatted } from "../reference/sources";
import { interruptible } from "../pulumi-cli/interrupt";
import { run } from "../run";
import { Copy, REPOSITORY } from "./copy";
import { defectsOf, type Damage } from "./damage";
import { DAMAGES } from "./list";
import { countsOf, DAMAGES_PAGE, damagesPage, tableOf } from "./page";
import { alreadyFailing, searchFor, type Outcome } from "./search";
import { pathOf, TIERS } from "./tests";

/** How many of all damages the tests without the CLI must find. */
const MIN_QUICK = 30;

const usage = `usage: npm run damages [-- <options> [<text> …]]

Plants mistakes that a person could make, one at a time, in a copy of the repository, and says which tier of the tests finds each, after
how long, and whether the failed test names the place. With a text, only those that have it in their name or file.

  --whole        runs whole tiers up to the first file that fails, not only the tests that should find the mistake
  --shard <i/n>  only every n-th of them, from the i-th on
  --json         prints each outcome as a line of JSON, in place of the table
  --write        makes ${DAMAGES_PAGE} of a run of all
  --check        runs nothing; the exit code is 1 if a mistake cannot be planted, or a test is missing, because the code has changed

The exit code is 1 if a mistake is not found, or if ${TIERS.quick} finds fewer than ${MIN_QUICK} of all.
`;

const options = {
  whole: { type: "boolean", default: false },
  shard: { type: "string", default: "1/1" },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The damages with one of the texts, of a shard; none if a text is in no damage, or if the shard is not i/n. */
function chosen(texts: readonly string[], shard: string): readonly Damage[] {
  const withText = (text: string) =>
    DAMAGES.filter(({ name, file }) => `${name}\n${file}`.toLowerCase().includes(text.toLowerCase()));
  const found = texts.map(withText);
  const named = found.every(({ length }) => length > 0) ? new Set(found.flat()) : new Set<Damage>();
  const [first, count] = shard.split("/").map(Number);
  const all = texts.length === 0 ? DAMAGES : [...named];
  return all.filter((_, index) => index % (count ?? 0) === (first ?? 0) - 1);
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const damages = chosen(positionals, values.shard);
  if (values.help || damages.length === 0) {
    say(values.help ? usage : `${usage}\n${DAMAGES.map(({ name }) => name).join("\n")}`);
    return values.help ? 0 : 2;
  }
  const isComplete = damages.length === DAMAGES.length;
  if (values.write && !isComplete)
    throw new Error("--write needs all mistakes: leave out texts and --shard.");
  const stale = damages.flatMap((damage) => [
    ...defectsOf(damage, textOf(damage)),
    ...damage.foundBy
      .filter(isMissing)
      .map((test) => `"${damage.name}": there is no test file ${pathOf(test)}`),
  ]);
  for (const line of stale) say(line);
  if (stale.length > 0 || values.check) return stale.length > 0 ? 1 : 0;
  const outcomes = await interruptible((signal) =>
    Copy.use(signal, (copy) => outcomesIn(copy, damages, values)),
  );
  if (!values.json) process.stdout.write(`${tableOf(outcomes)}\n\n${countsOf(outcomes)}\n`);
  if (values.write)
    writeFileSync(
      path.join(REPOSITORY, DAMAGES_PAGE),
      formatted(DAMAGES_PAGE, damagesPage(outcomes, values.whole)),
    );
  const quick = outcomes.filter(({ tier }) => tier === "quick").length;
  return outcomes.every(({ tier }) => tier !== undefined) && (!isComplete || quick >= MIN_QUICK) ? 0 : 1;
}

const isMissing = (test: string): boolean => !existsSync(path.join(REPOSITORY, pathOf(test)));
const textOf = ({ file }: Damage): string => readFileSync(path.join(REPOSITORY, file), "utf8");

async function outcomesIn(
  copy: Copy,
  damages: readonly Damage[],
  { whole: isWhole, json: isJson }: { readonly whole: boolean; readonly json: boolean },
): Promise<Outcome[]> {
  say(`compiling a copy in ${copy.root} with all mistakes …`);
  await copy.compile(damages);
  if (!isWhole) {
    say("running the expected tests without a mistake …");
    const failing = (await alreadyFailing(copy, damages)).map(({ file, name }) => `${file}: ${name}`);
    if (failing.length > 0) throw new Error(`They fail without any mistake:\n${failing.join("\n")}`);
  }
  const outcomes: Outcome[] = [];
  for (const damage of damages) {
    const outcome = await searchFor(copy, damage, isWhole);
    outcomes.push(outcome);
    if (isJson) process.stdout.write(`${JSON.stringify(outcome)}\n`);
    const { tier, seconds, test } = outcome;
    const found = tier === undefined ? "not found" : `${TIERS[tier]}: ${test?.name ?? ""}`;
    say(`${outcomes.length}/${damages.length} ${damage.name}: ${found} (${seconds} s)`);
  }
  return outcomes;
}

run(main);
