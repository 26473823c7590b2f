/** A member of a map: a text of others may name what all objects inherit, such as `constructor`. */
export const ownMember = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;
