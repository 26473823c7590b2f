import { withoutModule } from "../pulumi/type-tokens";

/** Ends the types in a key, as in a URN. */
const SEPARATOR = "::";

/**
 * What names a resource in a stack: the types of its parents and its own, the outermost first, then its logical name.
 * Every call about the resource has it, with the same text in both forms, in whatever order the program registers its
 * resources.
 */
export const resourceKey = (types: readonly string[], name: string): string =>
  `${types.map(withoutModule).join("$")}${SEPARATOR}${name}`;

/** The name of a resource in a message that also names another resource: its key if both have the same name. */
export const nameBeside = (key: string, other: string): string =>
  nameInKey(key) === nameInKey(other) ? JSON.stringify(key) : nameInKey(key);

/** The logical name in a key, as a message shows it. */
export const nameInKey = (key: string): string =>
  JSON.stringify(key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length));
