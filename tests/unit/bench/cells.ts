import type { Cell } from "../../../bench/matrix";
import type { OperationName } from "../../../bench/options";
import type { Sample } from "../../../bench/variant-stack";
import { byVariant, VARIANTS } from "../../../bench/variants";

export const machine = { cores: 2, node: "20", loadPerCore: 0.5 };

/** A cell whose plugin takes so many ms of CPU: the floor once, the next ones twice, three times and so on. A program takes 1000 ms. */
export function cell(operation: OperationName, pipes: number, ms = 100): Cell {
  const samples = (factor: number): Sample[] =>
    [1, 2, 1.5].map((round) => ({
      wallMs: 5000,
      allCpuMs: 4000,
      program: operation === "refresh" ? undefined : { role: "program", cpuMs: 1000, peakMb: 100 },
      plugin: { role: "plugin", cpuMs: ms * factor * round, peakMb: 150 },
      requests: {},
    }));
  return { operation, pipes, samples: byVariant((name) => samples(VARIANTS.indexOf(name) + 1)) };
}
