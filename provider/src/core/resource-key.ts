import { withoutModule } from "../type-tokens";

/** Ends the types in a key, as in a URN. */
const SEPARATOR = "::";

/**
 * What names a resource in a stack: the types of its parents and its own, the outermost first, then its logical name. Every call about
 * the resource has it, with the same text in both forms, in whatever order the program registers its resources.
 */
export const resourceKey = (types: readonly string[], name: string): string =>
  `${types.map(withoutModule).join("$")}${SEPARATOR}${name}`;

export const isResourceKey = (text: string): boolean => text.includes(SEPARATOR);

/** Two resources as a message names them: by their logical names, or by their keys if these are the same. */
export function namesInKeys(one: string, other: string): readonly [string, string] {
  const names = [nameInKey(one), nameInKey(other)] as const;
  return names[0] === names[1] ? [JSON.stringify(one), JSON.stringify(other)] : names;
}

/** The logical name in a key, as a message shows it. */
export const nameInKey = (key: string): string =>
  JSON.stringify(key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length));
