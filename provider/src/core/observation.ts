import { isDeepStrictEqual } from "node:util";
import { changesOf, type Change } from "./changes";
import { canonical, identical, sameValue } from "./equality";
import { unitsOf, type Field } from "./field";
import {
  formatPath,
  isList,
  isMap,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "./property-value";
import { elementsOf, identityOf } from "./set-diff";

/** What the last write or read left behind, and what the API returns now. */
export interface Observation {
  /** The properties as the program declared them, or as the last refresh found them. */
  readonly declared: PropertyMap;
  /** What the API returned the last time. */
  readonly before: PropertyMap;
  /** What the API returns now. */
  readonly now: PropertyMap;
}

/**
 * The declared properties with the values that the API has now. A field that the program does not declare stays out
 * of it; one that the API never returns stays as it was; so does one that the API merely writes in another way, which
 * shows in that its value is the same as right after our own write.
 */
export function reconcile(fields: readonly Field[], observation: Observation): PropertyMap {
  return unitsOf(fields).reduce((properties, field) => {
    const declared = valueAt(properties, field.path);
    if (declared === undefined || field.writeOnly || field.onChange === "local") return properties;
    const found = foundValue(field, declared, observation);
    return found === declared ? properties : withValueAt(properties, field.path, found);
  }, observation.declared);
}

/** What an update was about. */
interface Sent {
  /** All that differed before it. */
  readonly differences: readonly Change[];
  /** The paths that its requests carried. */
  readonly sent: ReadonlySet<string>;
}

/**
 * The declared properties after an update. What it did not send and is another one, now or before, somebody else has
 * changed: the next refresh must still see it.
 */
export function unrepaired(
  fields: readonly Field[],
  { differences, sent }: Sent,
  observation: Observation,
): PropertyMap {
  const unsent = unitsOf(fields).filter(({ path }) => !sent.has(formatPath(path)));
  const declared = changesOf("replace", differences).reduce(
    (properties, { field, before }) => withValueAt(properties, field.path, before),
    observation.declared,
  );
  return reconcile(unsent, { ...observation, declared });
}

function foundValue(field: Field, declared: PropertyValue, { before, now }: Observation): PropertyValue {
  const found = valueAt(now, field.path);
  // Stryker disable next-line ConditionalExpression: only faster
  if (identical(declared, found)) return declared;
  const present = likeDeclared(field, declared, found);
  if (sameValue(field, declared, present)) return declared;
  const past = likeDeclared(field, declared, valueAt(before, field.path));
  return sameValue(field, past, present) ? declared : present;
}

/** The declared fields with the API's values in the declared shape; what the API does not return is absent. */
export function asDeclared(fields: readonly Field[], declared: PropertyMap, found: PropertyMap): PropertyMap {
  return unitsOf(fields).reduce((properties, field) => {
    const value = valueAt(declared, field.path);
    if (value === undefined || field.onChange === "local" || field.onChange === "accompany")
      return properties;
    const present = field.writeOnly ? undefined : likeDeclared(field, value, valueAt(found, field.path));
    return withValueAt(properties, field.path, present);
  }, declared);
}

/** The API's value in the declared shape: members that the server added are left out, the order is the declared one. */
export function likeDeclared(field: Field, declared: PropertyValue, found: PropertyValue): PropertyValue {
  if (!isList(found)) {
    return isMap(found) && isMap(declared)
      ? memberwise(field.elements ?? [], declared, found)
      : (found ?? undefined);
  }
  const declaredElements = elementsOf(declared);
  const rest = [...found];
  const matched = declaredElements.flatMap((element): readonly PropertyValue[] => {
    const index = rest.findIndex((candidate) => isSameElement(field, element, candidate));
    if (index < 0) return [];
    const [match] = rest.splice(index, 1);
    return [isMap(match) && isMap(element) ? memberwise(field.elements ?? [], element, match) : match];
  });
  if (field.partial) return matched;
  if (field.unordered) return [...matched, ...rest.map(withoutNulls)];
  return found.map((element, index): PropertyValue => {
    const counterpart = declaredElements[index];
    return isMap(element) && isMap(counterpart)
      ? memberwise(field.elements ?? [], counterpart, element)
      : withoutNulls(element);
  });
}

/** The members that are declared, with the found values. What is not declared is the server's own. */
function memberwise(fields: readonly Field[], declared: PropertyMap, found: PropertyMap): PropertyMap {
  const known = new Map(fields.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) => {
      const member = known.get(name);
      if (member?.writeOnly === true) return [[name, value]];
      const present = found[name] ?? undefined;
      // `null`, absent and an empty list are one.
      if (isDeepStrictEqual(canonical(member, value), canonical(member, present))) return [[name, value]];
      return present === undefined ? [] : [[name, present]];
    }),
  );
}

function isSameElement(field: Field, a: PropertyValue, b: PropertyValue): boolean {
  if (!isMap(a) || !isMap(b)) return a === b;
  if (field.identity.length > 0) return isDeepStrictEqual(identityOf(field, a), identityOf(field, b));
  return Object.keys(a).every((name) => isDeepStrictEqual(a[name] ?? "", b[name] ?? ""));
}

/** All declarable fields as the API returns them: what a resource that is only read shows. */
export function declarable(fields: readonly Field[], found: PropertyMap): PropertyMap {
  return unitsOf(fields).reduce<PropertyMap>((properties, field) => {
    const value = withoutNulls(valueAt(found, field.path)) ?? undefined;
    return withValueAt(properties, field.path, value);
  }, {});
}
