import { ownMember } from "../../values/own-member";
import { canonical } from "./equality";
import type { Field } from "./fields";
import { isList, isMap, type PropertyValue } from "./property-value";

export const elementsOf = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : []);

/** The smallest additions and removals between two lists of a field, whatever their order. */
export function setDiff(field: Field, before: PropertyValue, after: PropertyValue) {
  const onlyIn = (list: PropertyValue, others: PropertyValue): readonly PropertyValue[] => {
    const keys = new Set(elementsOf(others).map((element) => keyOfElement(field, element)));
    return elementsOf(list).filter((element) => !keys.has(keyOfElement(field, element)));
  };
  return { add: onlyIn(after, before), remove: onlyIn(before, after) };
}

/** In a shared list the identity alone distinguishes elements: the server may add other members. */
export const keyOfElement = (field: Field, element: PropertyValue): string =>
  field.sharedList ? identityKey(field, element) : wholeKey(field, element);

/** A key of the members that identify an element. A missing member and an empty text are the same. */
export const identityKey = (field: Field, element: PropertyValue): string =>
  isMap(element)
    ? JSON.stringify(
        field.identity.map((name) => {
          const member = field.elements?.find((candidate) => candidate.name === name);
          return canonical(member, ownMember(element, name)) ?? "";
        }),
      )
    : wholeKey(field, element);

const wholeKey = (field: Field, element: PropertyValue): string =>
  JSON.stringify(canonical(field, [element]));
