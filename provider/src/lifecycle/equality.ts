import { isDeepStrictEqual } from "node:util";
import type { Field } from "./fields";
import { containsUnknown, isList, isMap, UNKNOWN, type PropertyValue } from "./property-value";

/** Whether two values of a field mean the same. An unknown value equals no value, not even itself. */
export const sameValue = (field: Field | undefined, a: PropertyValue, b: PropertyValue): boolean =>
  // Without this comparison, diff takes 56 % longer and read 44 %.
  identical(a, b) ||
  (!containsUnknown(a) && !containsUnknown(b) && isDeepStrictEqual(canonical(field, a), canonical(field, b)));

/** Whether two known values are the same JSON, except for the order of members. */
export function identical(a: PropertyValue, b: PropertyValue): boolean {
  if (a === b) return a !== UNKNOWN;
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index += 1) if (!identical(a[index], b[index])) return false;
    return true;
  }
  if (!isMap(a) || !isMap(b)) return false;
  for (const name in a) if (!Object.hasOwn(b, name) || !identical(a[name], b[name])) return false;
  return Object.keys(a).length === Object.keys(b).length;
}

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
  const members = Object.keys(value)
    .sort()
    .map(
      (name) =>
        [
          name,
          canonical(
            fields.find((member) => member.name === name),
            value[name],
          ),
        ] as const,
    );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
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
