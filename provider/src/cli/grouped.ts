import { getOrAdd } from "../values/get-or-add";

/** The elements of a list by a text of each. */
export function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) getOrAdd(groups, keyOf(each), () => []).push(each);
  return groups;
}
