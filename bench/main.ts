import { writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { countBytes } from "./bytes";
import { measureGrowth } from "./growth";
import { measureMatrix } from "./matrix";
import { measureMethods } from "./methods";
import { measureNetworks } from "./networks";
import { HELP, parseOptions, PARTS, type BenchOptions, type Part } from "./options";
import { heading, report } from "./report";
import { thisMachine, type Results } from "./results";
import { measureStarts } from "./starts";
import { endStarted } from "../testkit/started";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const MEASUREMENTS: Readonly<Record<Part, (options: BenchOptions) => unknown>> = {
  starts: () => measureStarts(),
  methods: () => measureMethods(),
  bytes: () => countBytes(),
  growth: () => measureGrowth(),
  networks: (options) => measureNetworks(options),
  matrix: (options) => measureMatrix(options, say),
};

/** Runs the chosen parts one after the other, and prints the tables of each: some take long. */
async function measure(options: BenchOptions): Promise<Results> {
  let results: Results = {};
  for (const part of PARTS.filter((name) => options.parts.includes(name))) {
    say(part);
    try {
      const result = { [part]: await MEASUREMENTS[part](options) };
      process.stdout.write(`\n${report(result)}`);
      results = { ...results, ...result };
    } finally {
      await endStarted();
    }
  }
  return results;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const machine = heading(thisMachine());
  process.stdout.write(`${machine}\n`);
  const results = await measure(options);
  if (options.markdown !== undefined) await writePage(options.markdown, `${machine}\n\n${report(results)}`);
}

async function writePage(file: string, text: string): Promise<void> {
  const page = `# Benchmarks\n\n${INTRODUCTION}\n\n${text}`;
  await writeFile(file, await format(page, { ...(await resolveConfig(file)), filepath: file }));
}

const INTRODUCTION =
  "Made by `npm run bench`, which compares four programs that declare the same pipes: the floor, a bare custom resource whose " +
  "provider does nothing; the stateful floor, whose provider does nothing but has the state of this package, with what an API returns; " +
  "this package; and a usual dynamic provider with axios and zod. Each figure is a ratio of runs made " +
  "one right after the other, or a count. What they mean is in [performance.md](performance.md).";

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
