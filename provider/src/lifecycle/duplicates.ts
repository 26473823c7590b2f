import type { Failure } from "./validation";
import { isList, isMap, type Draft, type PropertyPath, type PropertyValue } from "./property-value";

interface UniqueList<E> {
  readonly path: PropertyPath;
  readonly list: Draft<readonly E[] | undefined>;
  /** The members that distinguish elements; without any, the whole element does. */
  readonly by?: readonly (keyof E & string)[];
  readonly noun: string;
}

/** One failure for each element that repeats an earlier one. */
export function duplicates<E>({ path, list, by = [], noun }: UniqueList<E>): readonly Failure[] {
  const first = new Map<string, number>();
  if (!isList(list as PropertyValue)) return [];
  return (list as readonly PropertyValue[]).flatMap((element, index) => {
    const parts = by.length === 0 ? [element] : by.map((name) => (isMap(element) ? element[name] : element));
    // A missing member is a value like any other; an unknown one may turn out different.
    if (!parts.every((part) => part === undefined || typeof part === "string")) return [];
    if (parts.every((part) => part === undefined)) return [];
    const key = JSON.stringify(parts);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const names = parts.filter((part) => part !== undefined).map((part) => JSON.stringify(part));
    return [
      {
        path: [...path, index, ...(by.length === 1 ? by : [])],
        reason: `repeats the ${noun} ${names.join(", ")} of element ${earlier}`,
      },
    ];
  });
}
