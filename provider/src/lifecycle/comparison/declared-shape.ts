import { identityKey, elementsOf } from "./set-diff";
import { sameValue } from "./equality";
import type { Field } from "./fields";
import { ownMember } from "../../values/own-member";
import { isList, isMap, withoutNulls, type PropertyMap, type PropertyValue } from "./property-value";
import { getOrAdd } from "../../values/get-or-add";

/** The API's value without the members that the server added, and with unordered elements in the declared order. */
export function inDeclaredShape(
  field: Field,
  declared: PropertyValue,
  current: PropertyValue,
): PropertyValue {
  if (isMap(declared) && isMap(current)) return declaredMembers(field.elements, declared, current);
  if (!isList(current)) return withoutNulls(current) ?? undefined;
  const shaped = (element: PropertyValue, counterpart: PropertyValue): PropertyValue =>
    inDeclaredShape(field, counterpart, element) ?? null;
  const elements = elementsOf(declared);
  if (!field.unordered && !field.sharedList)
    return current.map((element, index) => shaped(element, elements[index]));
  const { matches, rest } = matchElements(field, elements, current);
  const matched = matches.map(([counterpart, element]) => shaped(element, counterpart));
  return field.sharedList ? matched : [...matched, ...rest.map(withoutNulls)];
}

/** The API's list with the elements that are declared first, in the declared order. */
export function inDeclaredOrder(
  field: Field,
  declared: PropertyValue,
  current: readonly PropertyValue[],
): readonly PropertyValue[] {
  const { matches, rest } = matchElements(field, elementsOf(declared), current);
  return [...matches.map(([, element]) => element), ...rest];
}

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

/** Pairs declared with current elements by their identity. */
function matchElements(field: Field, declared: readonly PropertyValue[], current: readonly PropertyValue[]) {
  const positions = new Map<string, number[]>();
  for (const [position, element] of current.entries()) {
    getOrAdd(positions, identityKey(field, element), () => []).push(position);
  }
  const matches = declared.flatMap((element) => {
    const position = positions.get(identityKey(field, element))?.shift();
    return position === undefined ? [] : [[element, current[position]] as const];
  });
  const rest = [...positions.values()].flat().sort((a, b) => a - b);
  return { matches, rest: rest.map((position) => current[position]) };
}
