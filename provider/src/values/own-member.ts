/**
 * A member of an object that is used as a map: texts of others may name what all objects inherit, such as
 * `constructor`.
 */
export const ownMember = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;
