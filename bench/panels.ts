import type { Cost } from "./costs";
import type { OperationName } from "./options";
import type { Spread } from "./statistics";
import { byVariant, VARIANTS, type ByVariant } from "./variants";

/** The operations that the chart shows, each in a panel. */
const CHARTED = ["up", "preview", "refresh"] as const satisfies readonly OperationName[];

/** One size: pipes, and seconds of CPU. */
export type Point = Spread & { readonly pipes: number };

/** The lines of one operation. */
export interface Panel {
  readonly operation: OperationName;
  readonly lines: ByVariant<readonly Point[]>;
}

/** The data of the chart: the operations that were measured with two sizes or more. */
export function panelsOf(costs: readonly Cost[]): readonly Panel[] {
  const panels = CHARTED.map((operation): Panel => {
    const own = costs.filter((cost) => cost.operation === operation).toSorted((a, b) => a.pipes - b.pipes);
    const lines = byVariant((name) =>
      own.flatMap(({ pipes, cpuSeconds }) => {
        const spread = cpuSeconds[name];
        return spread === undefined ? [] : [{ ...spread, pipes }];
      }),
    );
    return { operation, lines };
  }).filter(({ lines }) => VARIANTS.every((name) => lines[name].length > 1));
  if (panels.length === 0)
    throw new Error(
      `a chart needs one of ${CHARTED.join(", ")} with two sizes: see --sizes, --only, --parts and --from`,
    );
  return panels;
}
