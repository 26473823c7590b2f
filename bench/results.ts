import os from "node:os";
import type { Allocations } from "./allocations";
import type { Bytes } from "./bytes";
import type { Growth } from "./growth";
import type { Cell } from "./matrix";
import type { Methods } from "./methods";
import type { Networks } from "./networks";
import type { OnePipe } from "./one-pipe";
import type { Outputs } from "./outputs";
import type { Starts } from "./starts";
import type { ByVariant } from "./variants";

/** The results of a benchmark run; parts that did not run are absent. */
export interface Results {
  readonly matrix?: readonly Cell[];
  readonly starts?: Starts;
  readonly "one-pipe"?: OnePipe;
  readonly methods?: Methods;
  readonly allocations?: Allocations;
  readonly outputs?: Outputs;
  readonly bytes?: ByVariant<Bytes>;
  readonly networks?: Networks;
  readonly growth?: Partial<ByVariant<Growth>>;
}

/** Where a benchmark runs. */
export interface Machine {
  readonly cores: number;
  readonly node: string;
  readonly loadPerCore: number;
}

/** The machine. A load above 1 per core means that other processes shared it. */
export const thisMachine = (): Machine => ({
  cores: os.availableParallelism(),
  node: process.versions.node.split(".")[0] ?? "",
  loadPerCore: Number(((os.loadavg()[0] ?? 0) / os.availableParallelism()).toFixed(1)),
});

/** Where and how figures were measured. */
export const conditionsOf = ({ cores, node, loadPerCore }: Machine): string =>
  `${cores} cores, Node ${node}; ${loadPerCore} processes per core wanted to run when it began.`;
