import path from "node:path";
import { complete, creationBody } from "../testkit/pipes";
import { VariantStack, linesOf } from "./variant-stack";
import { OWN_VARIANTS, type ByVariant, type VariantName } from "./variants";

/** A refresh in a service with very many pipes. */
export interface Growth {
  /** The pipes of the stack. */
  readonly managed: number;
  /** All pipes of the service. */
  readonly listed: number;
  readonly requests: number;
  /** How often a list was parsed. */
  readonly parses: number;
  /** The length of the list, in MB of text. */
  readonly listMb: number;
  /** Wall time as a multiple of a refresh of the same stack before the others were there. */
  readonly wall: number;
  /** Peak memory of the plugin, before and with all others, in MB. */
  readonly pluginMb: { readonly before: number | undefined; readonly after: number | undefined };
}

const MANAGED = 200;
const LISTED = 10_000;

/** Refreshes stacks whose services have thousands of pipes that are not theirs. */
export async function measureGrowth(): Promise<Partial<ByVariant<Growth>>> {
  const measured: Partial<Record<VariantName, Growth>> = {};
  for (const name of OWN_VARIANTS) measured[name] = await growthOf(await VariantStack.start(name));
  return measured;
}

async function growthOf(variant: VariantStack): Promise<Growth> {
  await variant.declare(MANAGED);
  await variant.run("up");
  const before = await variant.run("refresh");
  variant.simulator.control.seedPipes(
    Array.from({ length: LISTED - MANAGED }, (_, index) => creationBody(`other-${index}`, complete.kafka)),
  );
  const parses = path.join(variant.stack.project, "parses.txt");
  const after = await variant.run("refresh", { env: { BENCH_PARSES: parses } });
  const lengths = (await linesOf(parses)).map(Number);
  return {
    managed: MANAGED,
    listed: LISTED,
    requests: after.requests["listPipes"] ?? 0,
    parses: lengths.length,
    listMb: (lengths[0] ?? 0) / 1024 / 1024,
    wall: after.wallMs / before.wallMs,
    pluginMb: { before: before.plugin?.peakMb, after: after.plugin?.peakMb },
  };
}
