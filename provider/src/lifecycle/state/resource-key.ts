/** How a stack has a resource: as a dynamic one, or through the native plugin. */
const MODULES = { dynamic: "pulumi-nodejs:dynamic/datapipes", native: "datapipes:index" } as const;

type Form = keyof typeof MODULES;

/** The token of a resource type in states and URNs. */
export const typeToken = (type: string, form: Form = "dynamic"): string => `${MODULES[form]}:${type}`;

/** A resource type of this provider without its module, which differs between the forms; else the token. */
export function withoutModule(token: string): string {
  const prefix = Object.values(MODULES).find((module) => token.startsWith(`${module}:`));
  return prefix === undefined ? token : token.slice(prefix.length + 1);
}

/** Ends the types in a key, as in a URN. */
const SEPARATOR = "::";

/** Names a resource in a stack, dynamic or native: the types of its parents and its own, then its logical name. */
export const resourceKey = (types: readonly string[], name: string): string =>
  `${types.map(withoutModule).join("$")}${SEPARATOR}${name}`;

/** The parts of a URN. Names may contain the separator. */
export function partsOf(urn: string) {
  const [stack = "", project = "", qualifiedType = "", ...names] = urn.split(SEPARATOR);
  const types = qualifiedType.split("$");
  const name = names.join(SEPARATOR);
  return {
    stack: stack.slice(stack.lastIndexOf(":") + 1),
    project,
    parents: types.slice(0, -1),
    type: types.at(-1) ?? "",
    name,
    key: resourceKey(types, name),
  };
}

/** Whether a provider of this name is one of the program: the engine names the others. */
export const isDeclaredProvider = (name: string): boolean => name !== "" && !/^default(_|$)/.test(name);

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
