import { inFreshProcess } from "./child";
import { spreadOf, type Spread } from "./statistics";

/** The calls of which the engine makes one or more for each pipe that did not change. */
export const UNCHANGED_CALLS = ["check", "diff", "read"] as const;
export type UnchangedCall = (typeof UNCHANGED_CALLS)[number];

/** What the provider allocates for one call about an unchanged pipe, and its CPU. */
export interface Allocation {
  readonly bytes: Spread | undefined;
  readonly cpuMs: Spread | undefined;
}

/** Bytes and CPU of one call, without the SDK and gRPC. */
export type Allocations = Readonly<Record<UnchangedCall, Allocation>>;

const ROUNDS = 5;
/** The profiler makes calls slower: bytes and CPU are from processes of their own. */
const script = (method: UnchangedCall, measure: "bytes" | "cpuMs"): string =>
  `require("ts-node/register"); void require("./bench/allocation-probe").probe("${method}", "${measure}")`;

/** Measures calls about unchanged pipes in fresh processes. */
export function measureAllocations(): Allocations {
  const spread = (method: UnchangedCall, measure: "bytes" | "cpuMs"): Spread | undefined =>
    spreadOf(Array.from({ length: ROUNDS }, () => Number(inFreshProcess(script(method, measure)))));
  const of = (method: UnchangedCall): Allocation => ({
    bytes: spread(method, "bytes"),
    cpuMs: spread(method, "cpuMs"),
  });
  return { check: of("check"), diff: of("diff"), read: of("read") };
}
