import { canonical } from "./equality";
import type { Field } from "./fields";
import {
  containsUnknown,
  isList,
  isMap,
  type PropertyMap,
  type PropertyPath,
  type PropertyValue,
} from "./property-value";
import type { Failure } from "./validation";

/** One failure for each element of a list that repeats an earlier one, at any depth. */
export const duplicates = (
  fields: readonly Field[],
  inputs: PropertyMap,
  path: PropertyPath = [],
): readonly Failure[] =>
  fields.flatMap((field) => {
    const value = inputs[field.name];
    const here = [...path, field.name];
    const inside = field.members ?? field.elements ?? [];
    if (isMap(value)) return duplicates(inside, value, here);
    if (!isList(value)) return [];
    const ofElement = (element: PropertyValue, index: number): readonly Failure[] =>
      isMap(element) ? duplicates(inside, element, [...here, index]) : [];
    return [...repetitions(field, value, here), ...value.flatMap(ofElement)];
  });

function repetitions(field: Field, list: readonly PropertyValue[], path: PropertyPath): readonly Failure[] {
  const names = field.distinctBy ?? field.identity;
  const first = new Map<string, number>();
  return list.flatMap((element, index) => {
    const parts: readonly PropertyValue[] = isMap(element)
      ? partsOf(field, names, element)
      : [canonical(field, element)];
    // A missing member is a value like any other; an unknown one may turn out different.
    if (parts.every((part) => part === undefined) || parts.some(containsUnknown)) return [];
    const key = JSON.stringify(parts);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const shown = parts.filter((part) => part !== undefined).map((part) => JSON.stringify(part));
    const at = [...path, index, ...(names.length === 1 ? names : [])];
    return [{ path: at, reason: `repeats ${shown.join(", ")} of element ${earlier}` }];
  });
}

const partsOf = (field: Field, names: readonly string[], element: PropertyMap): readonly PropertyValue[] =>
  names.map((name) =>
    canonical(
      field.elements?.find((member) => member.name === name),
      element[name],
    ),
  );
