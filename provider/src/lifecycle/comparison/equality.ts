import { isDeepStrictEqual } from "node:util";
import { ownMember } from "../../values/own-member";
import type { Field } from "./fields";
import { containsUnknown, isList, isMap, mapMembers, type PropertyValue } from "./property-value";

/** Whether two values of a field mean the same. An unknown value equals no value, not even itself. */
export const sameValue = (field: Field | undefined, a: PropertyValue, b: PropertyValue): boolean =>
  !containsUnknown(a) &&
  !containsUnknown(b) &&
  // Most values are equal as they are.
  (isDeepStrictEqual(a, b) || isDeepStrictEqual(canonical(field, a), canonical(field, b)));

/**
 * The same representation for all values of equal meaning: `null`, absent and an empty list are equal, and so are two
 * orders of an unordered list.
 */
export function canonical(field: Field | undefined, value: PropertyValue): PropertyValue {
  if (isList(value)) {
    if (value.length === 0) return undefined;
    const elements = value.map((element) => canonical(field, element));
    return field?.unordered ? elements.map((element) => JSON.stringify(element)).sort() : elements;
  }
  if (!isMap(value)) return canonicalScalar(field, value ?? undefined);
  const fields = field?.members ?? field?.elements ?? [];
  const sorted = Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return mapMembers(sorted, (member, name) =>
    canonical(
      fields.find((one) => one.name === name),
      member,
    ),
  );
}

/** Some servers return a number as a string, or a string of digits as a number. */
function canonicalScalar(field: Field | undefined, value: PropertyValue): PropertyValue {
  if (field === undefined) return value;
  if (typeof value === "number" && field.type === "string") return String(value);
  if (typeof value !== "string") return value;
  if (field.normalize !== undefined) return field.normalize(value);
  return isNumeric(field) && NUMBER.test(value) ? Number(value) : value;
}

const isNumeric = ({ type }: Field): boolean => type === "number" || type === "integer";

/** A number as JSON writes it. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Whether the API returned no usable value: none, `null`, an empty list, or a string such as "4 GiB" for a number. */
export function isNotReturned(field: Field, value: PropertyValue): boolean {
  if (value === undefined || value === null) return true;
  if (isList(value)) return value.length === 0;
  return isNumeric(field) && typeof value === "string" && !NUMBER.test(value);
}

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
