/** A mistake that a person could make, and where the tests must see it. */
export interface Damage {
  /** What the damaged code does, as in "updatePipe skips the rate limiter". */
  readonly name: string;
  /** The file, from the root of the repository on. */
  readonly file: string;
  /** A text that the file has exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test files that find it, the cheapest first, from `tests/` on; `native:` before one that runs with the plugin. */
  readonly foundBy: readonly string[];
  /** What the name or the message of a failing test has, if it names the place. */
  readonly place: RegExp;
}

/** Why a damage cannot be planted in a text. */
export function defectsOf({ name, file, find, replace }: Damage, text: string): readonly string[] {
  const times = text.split(find).length - 1;
  if (times !== 1) return [`"${name}": ${file} has the text to replace ${times} times:\n${find}`];
  return find === replace ? [`"${name}" changes nothing in ${file}`] : [];
}
