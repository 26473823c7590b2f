/** Several measurements of one thing. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median, least and most of some values; undefined where there are none. */
export function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  const [low = min, high = max] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { median: (low + high) / 2, min, max };
}

/** The ratio of each pair, which was measured one right after the other. */
export const pairRatios = (
  values: readonly (number | undefined)[],
  bases: readonly (number | undefined)[],
): (number | undefined)[] =>
  values.map((value, index) => {
    const base = bases[index];
    return value === undefined || base === undefined || base === 0 ? undefined : value / base;
  });

/** A spread as people read it. */
export const shown = (spread: Spread | undefined, digits = 2): string =>
  spread === undefined
    ? "–"
    : spread.min === spread.max
      ? spread.median.toFixed(digits)
      : `${spread.median.toFixed(digits)} (${spread.min.toFixed(digits)}–${spread.max.toFixed(digits)})`;
