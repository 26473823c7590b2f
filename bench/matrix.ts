import { VariantStack, type Sample } from "./variant-stack";
import { byVariant, VARIANTS, type ByVariant, type VariantName } from "./variants";
import { OPERATIONS, type BenchOptions, type OperationName } from "./options";
import { pairRatios, spreadOf, type Spread } from "./statistics";

/** The measurements of one operation at one size, of all variants, in the order of the rounds. */
export interface Cell {
  readonly operation: OperationName;
  readonly pipes: number;
  readonly samples: ByVariant<readonly Sample[]>;
}

/** The compared measures of a run. */
export const MEASURES = {
  wall: (sample: Sample) => sample.wallMs,
  "all CPU": (sample: Sample) => sample.allCpuMs,
  "program CPU": (sample: Sample) => sample.program?.cpuMs,
  "program memory": (sample: Sample) => sample.program?.peakMb,
  "plugin CPU": (sample: Sample) => sample.plugin?.cpuMs,
  "plugin memory": (sample: Sample) => sample.plugin?.peakMb,
} satisfies Record<string, (sample: Sample) => number | undefined>;
/** The name of a measure. */
export type Measure = keyof typeof MEASURES;

/** How many stacks to create and destroy, and how often to repeat the other operations on each. */
interface Plan {
  readonly stacks: number;
  readonly repeats: number;
}

/** Creating a large stack takes minutes of the engine's time, a preview of it seconds. */
function planOf(pipes: number, { rounds = 5, operations }: BenchOptions): Plan {
  const isRepeated = operations.some((operation) => REPEATABLE.includes(operation));
  if (!isRepeated) return { stacks: rounds, repeats: 0 };
  if (!operations.includes("up") && !operations.includes("destroy")) return { stacks: 1, repeats: rounds };
  const stacks = Math.min(rounds, pipes <= 50 ? 5 : pipes <= 200 ? 3 : 2);
  return { stacks, repeats: Math.ceil(rounds / stacks) };
}

/**
 * The most pipes of which the engine writes its state after each step, as it does by default. That takes the square of their number: the
 * state of 800 pipes takes half an hour, which would hide their creates.
 */
export const LARGEST_CHECKPOINTED = 200;
const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** The operations that keep the size of a stack. */
const REPEATABLE: readonly OperationName[] = ["preview", "refresh", "update"];

/** Measures every operation at every size: in each round all variants, one right after the other. */
export async function measureMatrix(options: BenchOptions, say: (line: string) => void): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const pipes of options.sizes) {
    const made = options.operations.map((operation): WritableCell => ({
      operation,
      pipes,
      samples: byVariant(() => []),
    }));
    const variants = await Promise.all(VARIANTS.map((name) => VariantStack.start(name)));
    for (const variant of variants) await variant.declare(pipes);
    const { stacks, repeats } = planOf(pipes, options);
    for (let stack = 1; stack <= stacks; stack += 1) {
      say(`${pipes} pipes, stack ${stack} of ${stacks}`);
      await measureStack(variants, made, repeats, options);
    }
    cells.push(...made);
    say(made.map(lineOf).join("\n"));
  }
  return cells;
}

interface WritableCell extends Cell {
  readonly samples: Record<VariantName, Sample[]>;
}

async function measureStack(
  variants: readonly VariantStack[],
  cells: readonly WritableCell[],
  repeats: number,
  { profile }: BenchOptions,
): Promise<void> {
  const isLarge = cells.some(({ pipes }) => pipes > LARGEST_CHECKPOINTED);
  const env: Record<string, string> = isLarge ? WITHOUT_CHECKPOINTS : {};
  const cellOf = (operation: OperationName) => cells.find((cell) => cell.operation === operation);
  const each = async (operation: OperationName): Promise<void> => {
    for (const variant of variants) {
      const sample = await variant.run(operation, { profile, env });
      cellOf(operation)?.samples[variant.name].push(sample);
    }
  };
  // A stack must exist before the other operations, and be gone before the next one.
  await each("up");
  for (let repeat = 1; repeat <= repeats; repeat += 1)
    for (const operation of REPEATABLE) if (cellOf(operation) !== undefined) await each(operation);
  await each("destroy");
}

/** The values of one measure, in the order of the rounds. */
export const valuesOf = (cell: Cell, name: VariantName, measure: Measure): (number | undefined)[] =>
  cell.samples[name].map(MEASURES[measure]);

/** The cost of a variant as a multiple of the cost of another, pair by pair. */
export const ratioOf = (
  cell: Cell,
  measure: Measure,
  name: VariantName = "ours",
  base: VariantName = "floor",
): Spread | undefined => spreadOf(pairRatios(valuesOf(cell, name, measure), valuesOf(cell, base, measure)));

/** What one more pipe costs between two sizes, in ms of CPU. */
export interface MarginalCost {
  readonly operation: OperationName;
  readonly from: number;
  readonly to: number;
  readonly cpuMs: Readonly<Record<"program" | "plugin", ByVariant<number | undefined>>>;
}

/** How the cost grows: where it is linear, one more pipe costs the same at every size. */
export function marginalCosts(cells: readonly Cell[]): readonly MarginalCost[] {
  return OPERATIONS.flatMap((operation) => {
    const sizes = cells.filter((cell) => cell.operation === operation);
    return sizes.flatMap((larger, index): MarginalCost[] => {
      const smaller = sizes[index - 1];
      if (smaller === undefined) return [];
      const of = (measure: Measure) => byVariant((name) => slopeBetween(smaller, larger, name, measure));
      const cpuMs = { program: of("program CPU"), plugin: of("plugin CPU") };
      return [{ operation, from: smaller.pipes, to: larger.pipes, cpuMs }];
    });
  });
}

function slopeBetween(smaller: Cell, larger: Cell, name: VariantName, measure: Measure): number | undefined {
  const [low, high] = [smaller, larger].map((cell) => spreadOf(valuesOf(cell, name, measure))?.median);
  return low === undefined || high === undefined ? undefined : (high - low) / (larger.pipes - smaller.pipes);
}

const lineOf = (cell: Cell): string =>
  `  ${cell.operation}: ${(Object.keys(MEASURES) as Measure[])
    .map((measure) => `${measure} × ${ratioOf(cell, measure)?.median.toFixed(3) ?? "–"}`)
    .join(", ")}`;
