import type { Cell } from "./matrix";
import type { OperationName } from "./options";
import { spreadOf, type Spread } from "./statistics";
import { type Sample } from "./variant-stack";
import { byVariant, type ByVariant } from "./variants";

/** What one operation of stacks of one size cost, in seconds of CPU; undefined for a variant without measurements. */
export interface Cost {
  readonly operation: OperationName;
  readonly pipes: number;
  readonly cpuSeconds: ByVariant<Spread | undefined>;
}

/** The engine runs no program for these. */
const WITHOUT_PROGRAM: readonly OperationName[] = ["refresh", "destroy"];

/**
 * What each operation cost, in plugin and program together: both run the code of the provider. The time of the engine is not part of it,
 * because it does not write the state of small and of large stacks equally often.
 */
export const costsOf = (cells: readonly Cell[]): readonly Cost[] =>
  cells.map(({ operation, pipes, samples }) => ({
    operation,
    pipes,
    cpuSeconds: byVariant((name) => spreadOf(samples[name].map((sample) => cpuSecondsOf(operation, sample)))),
  }));

/** Half of a cost would look like a small one: undefined if a process was not measured. */
function cpuSecondsOf(operation: OperationName, { program, plugin }: Sample): number | undefined {
  const programMs = WITHOUT_PROGRAM.includes(operation) ? 0 : program?.cpuMs;
  if (plugin === undefined || programMs === undefined) return undefined;
  return (programMs + plugin.cpuMs) / 1000;
}
