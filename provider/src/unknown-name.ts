import { distance } from "fastest-levenshtein";

/** The longest typing slip for which another name is suggested, in edits. */
const MAX_SUGGESTION_DISTANCE = 3;

/** What is wrong with an argument of a name that nothing has, with the nearest known name. */
export function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `is not an argument; known here: ${known.join(", ")}`
    : `is not an argument; did you mean "${nearest}"?`;
}

/** The known name that a misspelt one most likely means. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(bare(name), bare(candidate)) }))
    .filter(({ edits }) => edits <= MAX_SUGGESTION_DISTANCE)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.candidate;
}

/** A name without what only tells one way of writing names from another: the API itself spells settings with underscores. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "");
