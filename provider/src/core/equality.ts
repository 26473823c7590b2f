import { isDeepStrictEqual } from "node:util";
import type { Field } from "./field";
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
  const scalar = canonicalScalar(field?.type, value ?? undefined);
  return typeof scalar === "string" && field?.normalize !== undefined ? field.normalize(scalar) : scalar;
}

/** Some servers write a number as a text, or a text of digits as a number. */
function canonicalScalar(type: string | undefined, value: PropertyValue): PropertyValue {
  if (typeof value === "number" && type === "string") return String(value);
  const isNumber = type === "number" || type === "integer";
  return isNumber && typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
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

function canonicalList(
  field: Field | undefined,
  list: readonly PropertyValue[],
): readonly PropertyValue[] | undefined {
  if (list.length === 0) return undefined;
  const elements = list.map((element) => (isMap(element) ? canonicalMap(field?.elements, element) : element));
  return field?.unordered === true ? elements.map((element) => JSON.stringify(element)).sort() : elements;
}
