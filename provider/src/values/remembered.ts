/** Members of the API's objects have some hundred names. A service may answer with any, so that they are counted. */
const MAX_NAMES = 1000;

/** The function with what it has returned for a name: each pipe asks for the same ones. */
export function remembered<T extends string | boolean>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const present = known.get(name);
    if (present !== undefined) return present;
    const found = find(name);
    if (known.size < MAX_NAMES) known.set(name, found);
    return found;
  };
}
