/** A member of a map, but nothing that it inherits: a name from outside may be `constructor`. */
export const ownMember = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;
