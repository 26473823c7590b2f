import { CONTENDERS, Contender, type ContenderName, type Sample } from "./contender";
import { OPERATIONS, type BenchOptions, type OperationName } from "./options";
import { pairRatios, spreadOf, type Spread } from "./statistics";

/** The measurements of one operation at one size, of all contenders, in the order of the rounds. */
export interface Cell {
  readonly operation: OperationName;
  readonly pipes: number;
  readonly samples: Readonly<Record<ContenderName, readonly Sample[]>>;
}

/** What is compared of a run. */
export const MEASURES = {
  wall: (sample: Sample) => sample.wallMs,
  "program CPU": (sample: Sample) => sample.program?.cpuMs,
  "program memory": (sample: Sample) => sample.program?.peakMb,
  "plugin CPU": (sample: Sample) => sample.plugin?.cpuMs,
  "plugin memory": (sample: Sample) => sample.plugin?.peakMb,
} satisfies Record<string, (sample: Sample) => number | undefined>;
/** The name of one of them. */
export type Measure = keyof typeof MEASURES;

/** How often stacks are made and destroyed, and how often all else is done with each of them. */
interface Plan {
  readonly lives: number;
  readonly looks: number;
}

/** Making a large stack takes minutes of the engine's time, looking at it seconds. */
function planOf(pipes: number, { rounds = 5, operations }: BenchOptions): Plan {
  const isLooked = operations.some((operation) => LOOKS.includes(operation));
  if (!isLooked) return { lives: rounds, looks: 0 };
  if (!operations.includes("up") && !operations.includes("destroy")) return { lives: 1, looks: rounds };
  const lives = Math.min(rounds, pipes <= 50 ? 5 : pipes <= 200 ? 3 : 2);
  return { lives, looks: Math.ceil(rounds / lives) };
}

/**
 * The most pipes of which the engine writes its state after each step, as it does by default. That takes the square of their number: the
 * creates of 800 would be hidden behind half an hour of it.
 */
export const LARGEST_CHECKPOINTED = 200;
const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** What leaves a stack as large as it is. */
const LOOKS: readonly OperationName[] = ["preview", "refresh", "update"];

/** Measures every operation at every size: in each round all contenders, one right after the other. */
export async function measureMatrix(options: BenchOptions, say: (line: string) => void): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const pipes of options.sizes) {
    const made = options.operations.map((operation): WritableCell => ({
      operation,
      pipes,
      samples: { floor: [], stateful: [], ours: [], usual: [] },
    }));
    const contenders = await Promise.all(CONTENDERS.map((name) => Contender.start(name)));
    for (const contender of contenders) await contender.declare(pipes);
    const { lives, looks } = planOf(pipes, options);
    for (let life = 1; life <= lives; life += 1) {
      say(`${pipes} pipes, stack ${life} of ${lives}`);
      await measureLife(contenders, made, looks, options);
    }
    cells.push(...made);
    say(made.map(lineOf).join("\n"));
  }
  return cells;
}

interface WritableCell extends Cell {
  readonly samples: Record<ContenderName, Sample[]>;
}

async function measureLife(
  contenders: readonly Contender[],
  cells: readonly WritableCell[],
  looks: number,
  { profile }: BenchOptions,
): Promise<void> {
  const isLarge = cells.some(({ pipes }) => pipes > LARGEST_CHECKPOINTED);
  const env: Record<string, string> = isLarge ? WITHOUT_CHECKPOINTS : {};
  const cellOf = (operation: OperationName) => cells.find((cell) => cell.operation === operation);
  const each = async (operation: OperationName): Promise<void> => {
    for (const contender of contenders) {
      const sample = await contender.run(operation, { profile, env });
      cellOf(operation)?.samples[contender.name].push(sample);
    }
  };
  // A stack has to be there before anything else can be measured, and gone before the next one.
  await each("up");
  for (let look = 1; look <= looks; look += 1)
    for (const operation of LOOKS) if (cellOf(operation) !== undefined) await each(operation);
  await each("destroy");
}

/** The values of one measure, in the order of the rounds. */
export const valuesOf = (cell: Cell, name: ContenderName, measure: Measure): (number | undefined)[] =>
  cell.samples[name].map(MEASURES[measure]);

/** What a contender costs as a multiple of what another one costs, pair by pair. */
export const ratioOf = (
  cell: Cell,
  measure: Measure,
  name: ContenderName = "ours",
  base: ContenderName = "floor",
): Spread | undefined => spreadOf(pairRatios(valuesOf(cell, name, measure), valuesOf(cell, base, measure)));

/** What one more pipe costs between two sizes, in ms of CPU. */
export interface MarginalCost {
  readonly operation: OperationName;
  readonly from: number;
  readonly to: number;
  readonly cpuMs: Readonly<Record<"program" | "plugin", Readonly<Record<ContenderName, number | undefined>>>>;
}

/** How the cost grows: where it is linear, one more pipe costs the same at every size. */
export function marginalCosts(cells: readonly Cell[]): readonly MarginalCost[] {
  return OPERATIONS.flatMap((operation) => {
    const sizes = cells.filter((cell) => cell.operation === operation);
    return sizes.flatMap((larger, index): MarginalCost[] => {
      const smaller = sizes[index - 1];
      if (smaller === undefined) return [];
      const of = (measure: Measure) =>
        Object.fromEntries(
          CONTENDERS.map((name) => [name, slopeBetween(smaller, larger, name, measure)]),
        ) as Record<ContenderName, number | undefined>;
      const cpuMs = { program: of("program CPU"), plugin: of("plugin CPU") };
      return [{ operation, from: smaller.pipes, to: larger.pipes, cpuMs }];
    });
  });
}

function slopeBetween(
  smaller: Cell,
  larger: Cell,
  name: ContenderName,
  measure: Measure,
): number | undefined {
  const [low, high] = [smaller, larger].map((cell) => spreadOf(valuesOf(cell, name, measure))?.median);
  return low === undefined || high === undefined ? undefined : (high - low) / (larger.pipes - smaller.pipes);
}

const lineOf = (cell: Cell): string =>
  `  ${cell.operation}: ${(Object.keys(MEASURES) as Measure[])
    .map((measure) => `${measure} × ${ratioOf(cell, measure)?.median.toFixed(3) ?? "–"}`)
    .join(", ")}`;
