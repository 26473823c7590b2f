import { readFile, writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { stopSimulators } from "../testkit/simulator";
import { disposeStacks } from "../testkit/stack";
import { countBytes } from "./bytes";
import { measureGrowth } from "./growth";
import { measureMatrix } from "./matrix";
import { measureMethods } from "./methods";
import { measureNetworks } from "./networks";
import { HELP, parseOptions, PARTS, type BenchOptions, type Part } from "./options";
import { report } from "./report";
import { save, thisMachine, type Results } from "./results";
import { measureStarts } from "./starts";

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

/** Runs the chosen parts one after the other, and saves after each: some take long. */
async function measure(options: BenchOptions): Promise<Results> {
  let results: Results = { machine: thisMachine() };
  for (const part of PARTS.filter((name) => options.parts.includes(name))) {
    say(part);
    try {
      results = { ...results, [part]: await MEASUREMENTS[part](options) };
    } finally {
      await disposeStacks();
      await stopSimulators();
    }
    await save(results, options.output);
  }
  return results;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const { from, markdown } = options;
  const results =
    from === undefined ? await measure(options) : (JSON.parse(await readFile(from, "utf8")) as Results);
  const text = report(results);
  process.stdout.write(text);
  if (markdown !== undefined) await writePage(markdown, text);
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
