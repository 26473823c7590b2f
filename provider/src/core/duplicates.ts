import type { Failure } from "./validation";
import { valueAt, type PropertyMap, type PropertyPath, type PropertyValue } from "./property-value";
import { elementsOf } from "./set-diff";

/** Elements of a list that agree in the named members (or as a whole) with an element before them. */
export function duplicates(
  inputs: PropertyMap,
  path: PropertyPath,
  members: readonly string[],
  noun: string,
): readonly Failure[] {
  const first = new Map<string, number>();
  return elementsOf(valueAt(inputs, path)).flatMap((element, index) => {
    const parts = members.length === 0 ? [element] : members.map((name) => valueAt(element, [name]));
    // A member that is left out is a value like any other; one that is not known yet may turn out different.
    if (!parts.every((part) => part === undefined || typeof part === "string")) return [];
    if (parts.every((part) => part === undefined)) return [];
    const key = JSON.stringify(parts);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const place: PropertyPath = [...path, index, ...(members.length === 1 ? members : [])];
    return [
      {
        path: place,
        reason: `repeats the ${noun} ${parts
          .filter((part) => part !== undefined)
          .map(quoted)
          .join(", ")} of element ${earlier}`,
      },
    ];
  });
}

const quoted = (part: PropertyValue): string => JSON.stringify(part);
