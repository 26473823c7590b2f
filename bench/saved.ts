import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Cell } from "./matrix";
import { OPERATIONS } from "./options";
import type { Machine, Results } from "./results";
import { byVariant } from "./variants";

/** What was measured, and where. */
export interface Saved {
  readonly machine: Machine;
  readonly results: Results;
}

/** Results of before a variant was added lack it. */
const OF_ALL_VARIANTS = z.looseObject(byVariant(() => z.unknown().refine((value) => value !== undefined)));
const SAVED = z.object({
  machine: z.object({ cores: z.number(), node: z.string(), loadPerCore: z.number() }),
  results: z.looseObject({
    matrix: z.array(z.looseObject({ pipes: z.number(), samples: OF_ALL_VARIANTS })).optional(),
    bytes: OF_ALL_VARIANTS.optional(),
    starts: z.looseObject({ firstAnswerMs: OF_ALL_VARIANTS }).optional(),
  }),
});

/** Keeps results in a file, for a later `--from`. */
export const save = (file: string, saved: Saved): Promise<void> =>
  writeFile(file, `${JSON.stringify(saved, null, 2)}\n`);

/** The results of all files as one. */
export async function load(files: readonly string[]): Promise<Saved> {
  return merged(await Promise.all(files.map(read)));
}

async function read(file: string): Promise<Saved> {
  try {
    const saved: unknown = JSON.parse(await readFile(file, "utf8"));
    const { error } = SAVED.safeParse(saved);
    if (error !== undefined) throw new Error(z.prettifyError(error).replaceAll(/\s+/g, " "));
    return saved as Saved;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} has no results of \`npm run bench -- --save\`: ${reason}`, { cause: error });
  }
}

/** Results of several runs as those of one. What two of them have measured counts as in the later one. */
export function merged(all: readonly Saved[]): Saved {
  const [first, ...others] = all;
  if (first === undefined) throw new Error("there are no results to merge");
  return others.reduce(
    (before, after) => ({
      machine: commonOf(before.machine, after.machine),
      results: {
        ...before.results,
        ...after.results,
        ...matrixOf(before.results.matrix ?? [], after.results.matrix ?? []),
      },
    }),
    first,
  );
}

/** Only one machine's figures can be compared. */
function commonOf(before: Machine, after: Machine): Machine {
  const names = [before, after].map(({ cores, node }) => `${cores} cores with Node ${node}`);
  if (names[0] !== names[1])
    throw new Error(`results of different machines cannot be merged: ${names.join(" and ")}`);
  return { ...after, loadPerCore: Math.max(before.loadPerCore, after.loadPerCore) };
}

function matrixOf(before: readonly Cell[], after: readonly Cell[]): Pick<Results, "matrix"> {
  const isMeasuredAgain = (cell: Cell): boolean =>
    after.some(({ operation, pipes }) => operation === cell.operation && pipes === cell.pipes);
  const matrix = [...before.filter((cell) => !isMeasuredAgain(cell)), ...after];
  return matrix.length === 0 ? {} : { matrix: inOrder(matrix) };
}

/** The order of a run of all sizes and operations. */
const inOrder = (cells: readonly Cell[]): readonly Cell[] =>
  cells.toSorted(
    (a, b) => a.pipes - b.pipes || OPERATIONS.indexOf(a.operation) - OPERATIONS.indexOf(b.operation),
  );
