import { identityKey, elementsOf, sameValue } from "./equality";
import type { Field } from "./fields";
import { ownMember } from "../../values/own-member";
import {
  isFalseOrEmpty,
  isList,
  isMap,
  mapMembers,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "./property-value";
import { getOrAdd } from "../../values/get-or-add";

/** The API's value without the members that the server added, and with unordered elements in their declared places. */
export function inDeclaredShape(
  field: Field,
  declared: PropertyValue,
  current: PropertyValue,
): PropertyValue {
  if (isMap(declared) && isMap(current)) return declaredMembers(field.elements, declared, current);
  if (!isList(current)) return withoutNulls(current) ?? undefined;
  const shaped = (element: PropertyValue, counterpart: PropertyValue): PropertyValue =>
    counterpart === undefined
      ? withoutEmptyMembers(element)
      : (inDeclaredShape(field, counterpart, element) ?? null);
  const elements = elementsOf(declared);
  if (!field.unordered && !field.sharedList)
    return current.map((element, index) => shaped(element, elements[index]));
  return aligned(field, elements, current, shaped);
}

/** The API's list with each element in the place of its declared counterpart. */
export const inDeclaredOrder = (
  field: Field,
  declared: PropertyValue,
  current: readonly PropertyValue[],
): readonly PropertyValue[] => aligned(field, elementsOf(declared), current, (element) => element);

/** Members of objects that are compared as a whole. A service may leave out those that are false. */
function declaredMembers(
  fields: readonly Field[] = [],
  declared: PropertyMap,
  current: PropertyMap,
): PropertyMap {
  const members = Object.entries(declared).map(([name, value]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const returned = ownMember(current, name) ?? undefined;
    const isSame = sameValue(field, value, returned) || (value === false && returned === undefined);
    return [name, isSame ? value : returned] as const;
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** An element that the program does not declare, as a program would declare it. */
const withoutEmptyMembers = (element: PropertyValue): PropertyValue =>
  isMap(element)
    ? mapMembers(element, (member) =>
        member === null || isFalseOrEmpty(member) ? undefined : withoutNulls(member),
      )
    : withoutNulls(element);

/**
 * The current elements, each in the place of the declared one of the same identity. The engine compares lists by
 * position, so others take the places that stay free, and only then the end.
 */
function aligned(
  field: Field,
  declared: readonly PropertyValue[],
  current: readonly PropertyValue[],
  shaped: (element: PropertyValue, counterpart: PropertyValue) => PropertyValue,
): readonly PropertyValue[] {
  const positions = new Map<string, number[]>();
  for (const [position, element] of current.entries())
    getOrAdd(positions, identityKey(field, element), () => []).push(position);
  const places = declared.map((counterpart) => {
    const position = positions.get(identityKey(field, counterpart))?.shift();
    return position === undefined ? undefined : shaped(current[position], counterpart);
  });
  if (field.sharedList) return places.filter((place) => place !== undefined);
  const added = [...positions.values()].flat().sort((a, b) => a - b);
  const others = added.map((position) => shaped(current[position], undefined));
  const filled = places.map((place) => place ?? others.shift());
  return withoutGaps([...filled, ...others]);
}

/** The elements, the last ones in the places of those that are gone. */
function withoutGaps(places: readonly PropertyValue[]): readonly PropertyValue[] {
  const count = places.filter((place) => place !== undefined).length;
  const last = places.slice(count).filter((place) => place !== undefined);
  return places.slice(0, count).map((place) => (place === undefined ? last.pop() : place));
}
