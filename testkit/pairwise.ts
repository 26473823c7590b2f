export type Axes<T> = { readonly [K in keyof T]: readonly T[K][] };

export function product<T extends object>(axes: Axes<T>): T[] {
  const names = Object.keys(axes) as (keyof T)[];
  return names.reduce<Partial<T>[]>(
    (rows, name) => rows.flatMap((row) => axes[name].map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as T[];
}

/**
 * A few of the combinations: every two values of two properties that occur together still do, and so do all values of the
 * properties in `together`.
 */
export function pairwise<T extends object>(combinations: readonly T[], together: readonly (keyof T)[] = []) {
  const covered = new Map(combinations.map((row) => [row, coveredBy(row, together)]));
  const missing = new Set([...covered.values()].flat());
  const chosen: T[] = [];
  while (missing.size > 0) {
    const gain = (row: T): number => (covered.get(row) ?? []).filter((part) => missing.has(part)).length;
    const best = combinations.reduce((first, second) => (gain(second) > gain(first) ? second : first));
    chosen.push(best);
    for (const part of covered.get(best) ?? []) missing.delete(part);
  }
  return chosen;
}

function coveredBy<T extends object>(row: T, together: readonly (keyof T)[]): string[] {
  const values = Object.entries(row).map(([name, value]) => `${name}=${String(value)}`);
  const pairs = values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one}&${other}`));
  return together.length === 0 ? pairs : [...pairs, together.map((name) => String(row[name])).join("+")];
}
