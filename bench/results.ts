import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Bytes } from "./bytes";
import type { VariantName } from "./variant";
import type { Growth } from "./growth";
import type { Cell } from "./matrix";
import type { Methods } from "./methods";
import type { Networks } from "./networks";
import type { Starts } from "./starts";

/** The results of a benchmark run; parts that did not run are absent. */
export interface Results {
  readonly machine: { readonly cores: number; readonly node: string; readonly loadPerCore: number };
  readonly matrix?: readonly Cell[];
  readonly starts?: Starts;
  readonly methods?: Methods;
  readonly bytes?: Readonly<Record<VariantName, Bytes>>;
  readonly networks?: Networks;
  readonly growth?: Growth;
}

/** The machine. A load above 1 per core means that other processes shared it. */
export const thisMachine = (): Results["machine"] => ({
  cores: os.availableParallelism(),
  node: process.versions.node.split(".")[0] ?? "",
  loadPerCore: Number(((os.loadavg()[0] ?? 0) / os.availableParallelism()).toFixed(1)),
});

/** Writes the results, with all samples. */
export async function save(results: Results, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, rounded, 2)}\n`);
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toFixed(3)) : value;
