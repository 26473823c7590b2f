/** How many of many things a line names. */
const MAX_NAMED = 3;

/** The first of many things, and how many others there are. */
export function enumerated(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(", ");
  const others = names.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
}
