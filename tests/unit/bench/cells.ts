import type { Cell } from "../../../bench/matrix";
import type { OperationName } from "../../../bench/options";
import type { Sample } from "../../../bench/variant";

export const machine = { cores: 2, node: "20", loadPerCore: 0.5 };

/** A cell whose plugin takes so many ms of CPU: the floor once, the others twice to four times. A program takes 1000 ms. */
export function cell(operation: OperationName, pipes: number, ms = 100): Cell {
  const samples = (factor: number): Sample[] =>
    [1, 2, 1.5].map((round) => ({
      wallMs: 5000,
      program: operation === "refresh" ? undefined : { role: "program", cpuMs: 1000, peakMb: 100 },
      plugin: { role: "plugin", cpuMs: ms * factor * round, peakMb: 150 },
      requests: {},
    }));
  return {
    operation,
    pipes,
    samples: { floor: samples(1), stateful: samples(2), ours: samples(3), usual: samples(4) },
  };
}
