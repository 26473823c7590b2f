/** How many of many things a line names. */
const MAX_NAMED = 3;

export function enumerated(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(", ");
  const others = names.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
}

/** A number of things whose noun has a regular plural: `1 pipe`, `2 pipes`. */
export const counted = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
