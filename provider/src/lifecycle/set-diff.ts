import { ownMember } from "../values/own-member";
import { canonical } from "./equality";
import type { Field } from "./fields";
import { isList, isMap, type PropertyValue } from "./property-value";

/** The elements of a list; none of any other value. */
export const elementsOf = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : []);

/** The smallest additions and removals between two lists of a field, whatever their order. */
export function setDiff(field: Field, before: PropertyValue, after: PropertyValue) {
  const [keyedBefore, keyedAfter] = [keyed(field, before), keyed(field, after)];
  return { add: without(keyedAfter, keyedBefore), remove: without(keyedBefore, keyedAfter) };
}

interface KeyedElement {
  readonly key: string;
  readonly element: PropertyValue;
}

const keyed = (field: Field, list: PropertyValue): readonly KeyedElement[] =>
  elementsOf(list).map((element) => ({ key: keyOfElement(field, element), element }));

/** The elements whose keys the other list does not have. */
function without(list: readonly KeyedElement[], others: readonly KeyedElement[]): readonly PropertyValue[] {
  const keys = new Set(others.map(({ key }) => key));
  return list.filter(({ key }) => !keys.has(key)).map(({ element }) => element);
}

/** The key that distinguishes an element. In a shared list it is the identity alone: the server may add other members. */
export const keyOfElement = (field: Field, element: PropertyValue): string =>
  field.sharedList ? identityKey(field, element) : wholeKey(field, element);

/** A key of the members that identify an element. A missing member and an empty text are the same. */
export const identityKey = (field: Field, element: PropertyValue, identity = field.identity): string =>
  isMap(element)
    ? JSON.stringify(
        identity.map((name) => {
          const member = field.elements?.find((candidate) => candidate.name === name);
          return canonical(member, ownMember(element, name)) ?? "";
        }),
      )
    : wholeKey(field, element);

const wholeKey = (field: Field, element: PropertyValue): string =>
  JSON.stringify(canonical(field, [element]));
