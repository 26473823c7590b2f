import { writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { measureAllocations } from "./allocations";
import { countBytes } from "./bytes";
import { chartOf } from "./chart";
import { costsOf } from "./costs";
import { measureGrowth } from "./growth";
import { measureMatrix } from "./matrix";
import { measureMethods } from "./methods";
import { measureNetworks } from "./networks";
import { measureOnePipe } from "./one-pipe";
import { HELP, parseOptions, PARTS, type BenchOptions, type Part } from "./options";
import { measureOutputs } from "./outputs";
import { panelsOf } from "./panels";
import { heading, report } from "./report";
import { thisMachine, type Machine, type Results } from "./results";
import { load, save, type Saved } from "./saved";
import { measureStarts } from "./starts";
import { VARIANT, VARIANTS } from "./variants";
import { endStarted } from "../testkit/started";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const MEASUREMENTS: Readonly<Record<Part, (options: BenchOptions) => unknown>> = {
  starts: () => measureStarts(),
  "one-pipe": ({ rounds }) => measureOnePipe(rounds),
  methods: () => measureMethods(),
  allocations: () => measureAllocations(),
  outputs: () => measureOutputs(),
  bytes: () => countBytes(),
  growth: () => measureGrowth(),
  networks: (options) => measureNetworks(options),
  matrix: (options) => measureMatrix(options, say),
};

/** Runs the chosen parts one after the other, and prints and keeps the results of each: some take long. */
async function measure(options: BenchOptions, machine: Machine): Promise<Results> {
  let results: Results = {};
  for (const part of PARTS.filter((name) => options.parts.includes(name))) {
    say(part);
    try {
      const result = { [part]: await MEASUREMENTS[part](options) };
      process.stdout.write(`\n${report(result)}`);
      results = { ...results, ...result };
      if (options.save !== undefined) await save(options.save, { machine, results });
    } finally {
      await endStarted();
    }
  }
  return results;
}

/** Results of a measurement, or kept ones. */
async function resultsOf(options: BenchOptions): Promise<Saved> {
  if (options.from.length > 0) {
    const saved = await load(options.from);
    process.stdout.write(`${heading(saved.machine)}\n\n${report(saved.results)}`);
    if (options.save !== undefined) await save(options.save, saved);
    return saved;
  }
  const machine = thisMachine();
  process.stdout.write(`${heading(machine)}\n`);
  return { machine, results: await measure(options, machine) };
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const { machine, results } = await resultsOf(options);
  if (options.markdown !== undefined)
    await writePage(options.markdown, `${heading(machine)}\n\n${report(results)}`);
  if (options.chart !== undefined)
    await writeFile(options.chart, chartOf(panelsOf(costsOf(results.matrix ?? [])), machine));
}

async function writePage(file: string, text: string): Promise<void> {
  const page = `# Benchmarks\n\n${INTRODUCTION}\n\n${text}`;
  await writeFile(file, await format(page, { ...(await resolveConfig(file)), filepath: file }));
}

const INTRODUCTION =
  "Made by `npm run bench`, which compares programs that declare the same pipes: " +
  `${VARIANTS.map((name) => VARIANT[name].about).join("; ")}. Each ratio is one of runs made one right after the other. ` +
  "What the figures mean is in [performance.md](performance.md).";

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
