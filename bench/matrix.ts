import { CONTENDERS, Contender, type ContenderName, type Sample } from "./contender";
import type { BenchOptions, OperationName } from "./options";
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

/** How often everything is measured where the command line does not say it. */
const roundsOf = (pipes: number): number => (pipes <= 50 ? 5 : 3);

/** Measures every operation at every size: in each round all contenders, one right after the other. */
export async function measureMatrix(options: BenchOptions, say: (line: string) => void): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const pipes of options.sizes) {
    const made = options.operations.map((operation): WritableCell => ({
      operation,
      pipes,
      samples: { floor: [], ours: [], usual: [] },
    }));
    const contenders = await Promise.all(CONTENDERS.map((name) => Contender.start(name)));
    for (const contender of contenders) await contender.declare(pipes);
    const rounds = options.rounds ?? roundsOf(pipes);
    for (let round = 1; round <= rounds; round += 1) {
      say(`${pipes} pipes, round ${round} of ${rounds}`);
      await measureRound(contenders, made, options);
    }
    cells.push(...made);
    say(made.map(lineOf).join("\n"));
  }
  return cells;
}

interface WritableCell extends Cell {
  readonly samples: Record<ContenderName, Sample[]>;
}

async function measureRound(
  contenders: readonly Contender[],
  cells: readonly WritableCell[],
  { profile }: BenchOptions,
): Promise<void> {
  const cellOf = (operation: OperationName) => cells.find((cell) => cell.operation === operation);
  const each = async (operation: OperationName): Promise<void> => {
    for (const contender of contenders) {
      const sample = await contender.run(operation, { profile });
      cellOf(operation)?.samples[contender.name].push(sample);
    }
  };
  // A stack has to be there before anything else can be measured, and gone before the next round.
  await each("up");
  for (const operation of ["preview", "refresh", "update"] as const)
    if (cellOf(operation) !== undefined) await each(operation);
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

const lineOf = (cell: Cell): string =>
  `  ${cell.operation}: ${(Object.keys(MEASURES) as Measure[])
    .map((measure) => `${measure} × ${ratioOf(cell, measure)?.median.toFixed(3) ?? "–"}`)
    .join(", ")}`;
