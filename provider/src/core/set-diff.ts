import { canonical } from "./equality";
import type { Field } from "./fields";
import { isList, isMap, type PropertyMap, type PropertyValue } from "./property-value";

/** The elements of a list, or none where there is no list. */
export const elementsOf = (value: PropertyValue): readonly PropertyValue[] => (isList(value) ? value : []);

/** The smallest additions and removals between two lists of a field, whatever their order. */
export function setDiff(field: Field, before: PropertyValue, after: PropertyValue) {
  const olds = elementsOf(before);
  const news = elementsOf(after);
  const keys = new Map([...olds, ...news].map((element) => [element, keyOfElement(field, element)]));
  const keyOf = (element: PropertyValue): string | undefined => keys.get(element);
  const oldKeys = new Set(olds.map(keyOf));
  const newKeys = new Set(news.map(keyOf));
  return {
    add: news.filter((element) => !oldKeys.has(keyOf(element))),
    remove: olds.filter((element) => !newKeys.has(keyOf(element))),
  };
}

/**
 * What tells an element from others. In a list that is shared with others only the identity counts: what else an entry
 * has there is the server's, and an empty text is none.
 */
export function keyOfElement(field: Field, element: PropertyValue): string {
  if (!field.sharedList || !isMap(element)) return JSON.stringify(canonical(field, [element]));
  return JSON.stringify(identityOf(field, element));
}

/** The values that tell an element of a list from others, each in the form that all its spellings share. */
export const identityOf = (field: Field, element: PropertyMap): readonly PropertyValue[] =>
  field.identity.map((name) => {
    const member = field.elements?.find((candidate) => candidate.name === name);
    return canonical(member, element[name]) ?? "";
  });
