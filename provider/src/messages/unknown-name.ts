import { distance } from "fastest-levenshtein";

/** The largest Levenshtein distance of a suggestion. */
const MAX_SUGGESTION_DISTANCE = 3;

/** The check failure of an unknown argument, with the nearest known name. */
export function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `is not an argument; expected one of ${known.join(", ")}`
    : `is not an argument; did you mean "${nearest}"?`;
}

/** The known name that is nearest to a misspelt one. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(bare(name), bare(candidate)) }))
    // With as many edits as letters, any name resembles any other.
    .filter(({ edits }) => edits <= MAX_SUGGESTION_DISTANCE && edits < bare(name).length)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}

/** A name without its case and separators: the API itself spells settings with underscores. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");
