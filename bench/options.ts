import { parseArgs } from "node:util";

/** The parts of the benchmark, in the order in which they run. */
export const PARTS = [
  "starts",
  "one-pipe",
  "methods",
  "allocations",
  "outputs",
  "bytes",
  "growth",
  "networks",
  "matrix",
] as const;
/** The name of a part. */
export type Part = (typeof PARTS)[number];

/** The timed operations, in the order in which a stack goes through them. */
export const OPERATIONS = ["up", "preview", "refresh", "update", "destroy"] as const;
/** The name of an operation. */
export type OperationName = (typeof OPERATIONS)[number];

/** The options of the command line. */
export interface BenchOptions {
  readonly sizes: readonly number[];
  /** Measurements per operation; a large stack is created fewer times and measured more often. Undefined: by size. */
  readonly rounds: number | undefined;
  readonly operations: readonly OperationName[];
  readonly parts: readonly Part[];
  /** A folder to write CPU profiles to. */
  readonly profile: string | undefined;
  /** A file to keep the results in. */
  readonly save: string | undefined;
  /** Files with results to use in place of a measurement. */
  readonly from: readonly string[];
}

export const HELP = `npm run bench -- [options]

  --sizes 1,50,200,800   how many pipes
  --rounds 3             how often everything is measured; up and destroy of large stacks less often [default: 5]
  --only preview,refresh the operations to compare: ${OPERATIONS.join(", ")}
  --parts matrix,starts  the parts to run: ${PARTS.join(", ")}
  --profile folder       write CPU profiles of program and plugin there
  --save file.json       keep the results there
  --from file.json …     measure nothing, and report the kept results of one or more runs as one; what two of them have measured
                         counts as in the later file
`;

/** Reads the command line; undefined for --help. */
export function parseOptions(args: readonly string[]): BenchOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sizes: { type: "string", default: "1,50,200,800" },
      rounds: { type: "string" },
      only: { type: "string", default: OPERATIONS.join() },
      parts: { type: "string", default: PARTS.join() },
      profile: { type: "string" },
      save: { type: "string" },
      from: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  if (values.from.length === 0 && positionals.length > 0)
    throw new Error(`${JSON.stringify(positionals[0])} is no option: files with results come after --from`);
  return {
    sizes: values.sizes.split(",").map(count),
    rounds: values.rounds === undefined ? undefined : count(values.rounds),
    operations: chosen(values.only, OPERATIONS),
    parts: chosen(values.parts, PARTS),
    profile: values.profile,
    save: values.save,
    from: [...values.from, ...positionals],
  };
}

function count(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`${JSON.stringify(text)} is not a whole number from 1`);
}

function chosen<T extends string>(text: string, known: readonly T[]): readonly T[] {
  const unknown = text.split(",").find((name) => !known.includes(name as T));
  if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} is none of ${known.join(", ")}`);
  return known.filter((name) => text.split(",").includes(name));
}
