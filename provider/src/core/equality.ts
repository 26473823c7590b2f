import { isDeepStrictEqual } from "node:util";
import type { Field } from "./fields";
import {
  containsUnknown,
  isList,
  isMap,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "./property-value";

/**
 * Whether two values of a field mean the same: `null`, absent and an empty list are one, and the order of a set
 * is no difference. What is unknown equals nothing, itself included.
 */
export function sameValue(field: Field, a: PropertyValue, b: PropertyValue): boolean {
  // Stryker disable next-line ConditionalExpression: only faster
  if (identical(a, b)) return true;
  if (containsUnknown(a) || containsUnknown(b)) return false;
  return isDeepStrictEqual(canonical(field, a), canonical(field, b));
}

/** Whether two values are one and the same text of JSON but for the order of members, and all of it is known. */
export function identical(a: PropertyValue, b: PropertyValue): boolean {
  if (a === b) return a !== UNKNOWN;
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((element, index) => identical(element, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => identical(a[name], b[name]));
}

/** The one form that all values of equal meaning share. */
export function canonical(field: Field | undefined, value: PropertyValue): PropertyValue {
  if (isList(value)) return canonicalList(field, value);
  if (isMap(value)) return canonicalMap(field?.members ?? field?.elements, value);
  return canonicalScalar(field, value ?? undefined);
}

/** Some servers write a number as a text, or a text of digits as a number. */
function canonicalScalar(field: Field | undefined, value: PropertyValue): PropertyValue {
  if (field === undefined) return value;
  if (typeof value === "number" && field.type === "string") return String(value);
  if (typeof value !== "string") return value;
  if (field.normalize !== undefined) return field.normalize(value);
  return isNumeric(field) && NUMBER.test(value) ? Number(value) : value;
}

const isNumeric = ({ type }: Field): boolean => type === "number" || type === "integer";

/**
 * Whether an answer says nothing of a field: it leaves the field out, has null or an empty list for it, or a text that is
 * no number (such as a quantity with a unit) where a number belongs.
 */
export function isNotReturned(field: Field, value: PropertyValue): boolean {
  if (value === undefined || value === null) return true;
  if (isList(value)) return value.length === 0;
  return isNumeric(field) && typeof value === "string" && !NUMBER.test(value);
}

/** A number as JSON writes it. */
const NUMBER = /^-?\d+(\.\d+)?$/;

function canonicalMap(fields: readonly Field[] = [], value: PropertyMap): PropertyValue {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const entries = Object.keys(value)
    .sort()
    .map((name) => [name, canonical(byName.get(name), value[name])] as const)
    .filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries);
}

/** The one form that all elements of equal meaning share. What stands on a list of texts holds for each of them. */
function canonicalElement(field: Field | undefined, element: PropertyValue): PropertyValue {
  if (isMap(element)) return canonicalMap(field?.elements, element);
  return typeof element === "string" && field?.normalize ? field.normalize(element) : element;
}

function canonicalList(
  field: Field | undefined,
  list: readonly PropertyValue[],
): readonly PropertyValue[] | undefined {
  if (list.length === 0) return undefined;
  const elements = list.map((element) => canonicalElement(field, element));
  return field?.unordered === true ? elements.map((element) => JSON.stringify(element)).sort() : elements;
}
