import { withoutModule } from "./type-tokens";

/** Ends the types in a key, as in a URN. */
const SEPARATOR = "::";

/** Names a resource in a stack, alike in both forms: the types of its parents and its own, then its logical name. */
export const resourceKey = (types: readonly string[], name: string): string =>
  `${types.map(withoutModule).join("$")}${SEPARATOR}${name}`;

/** The name of a resource in a message that also names another resource: its key if both have the same name. */
export const nameBeside = (key: string, other: string): string =>
  nameInKey(key) === nameInKey(other) ? JSON.stringify(key) : nameInKey(key);

/** What is wrong if a resource adopts an ID that another resource of the program has or adopts. */
export const adoptedTwice = (id: string, key: string, holder: string): string =>
  `names ${id}, which resource ${nameBeside(holder, key)} of this program manages. ` +
  "Remove one of the two, or adopt another ID.";

/** The logical name in a key, as a message shows it. */
export const nameInKey = (key: string): string =>
  JSON.stringify(key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length));
