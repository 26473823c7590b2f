import { measureAllocations } from "./allocations";
import { countBytes } from "./bytes";
import { measureGrowth } from "./growth";
import { measureMatrix } from "./matrix";
import { measureMethods } from "./methods";
import { measureNetworks } from "./networks";
import { measureOnePipe } from "./one-pipe";
import { HELP, parseOptions, PARTS, type BenchOptions, type Part } from "./options";
import { measureOutputs } from "./outputs";
import { heading, report } from "./report";
import { thisMachine, type Machine, type Results } from "./results";
import { load, save } from "./saved";
import { measureStarts } from "./starts";
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
async function measure(options: BenchOptions, machine: Machine): Promise<void> {
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
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  if (options.from.length === 0) {
    const machine = thisMachine();
    process.stdout.write(`${heading(machine)}\n`);
    await measure(options, machine);
    return;
  }
  const saved = await load(options.from);
  process.stdout.write(`${heading(saved.machine)}\n\n${report(saved.results)}`);
  if (options.save !== undefined) await save(options.save, saved);
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
