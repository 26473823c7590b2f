import { isDeepStrictEqual } from "node:util";
import { canonical, identical, isNotReturned, sameValue } from "./equality";
import { isReadable, leafFields, type Field } from "./fields";
import type { PrivateState } from "./private-state";
import {
  isList,
  isMap,
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "./property-value";
import { elementsOf, identityOf } from "./set-diff";

/** What is compared at a read. */
export interface Observation {
  /** The properties as the program declared them, or as the last refresh found them. */
  readonly declared: PropertyMap;
  /** What the API stated the last time. */
  readonly lastRead: PropertyMap;
  /** What the API states now. */
  readonly current: PropertyMap;
  readonly privateState?: PrivateState;
}

/** What a read finds. */
export interface Refreshed {
  /** The declared properties with the values that the API has now. */
  readonly declared: PropertyMap;
  /** Paths of declared fields that the API is known to leave out. */
  readonly omitted: readonly string[];
}

/**
 * The declared properties with the values that the API has now. A field that the program does not declare stays out
 * of it; one that the API never returns stays as it was; so does one that the API merely writes in another way.
 */
export function refreshInputs(fields: readonly Field[], observation: Observation): Refreshed {
  let { declared } = observation;
  const omitted: string[] = [];
  for (const field of leafFields(fields)) {
    const ours = valueAt(declared, field.path);
    if (ours === undefined || !isReadable(field)) continue;
    const verdict = compared(field, ours, observation);
    if (verdict === "omitted") omitted.push(field.displayPath);
    else if (verdict !== "same") declared = withValueAt(declared, field.path, verdict.found);
  }
  return { declared, omitted };
}

/**
 * The declared properties after an update of a resource that only writes tell of: what the update did not send may have been
 * changed elsewhere, and no read will show it.
 */
export const seenInAnswer = (
  fields: readonly Field[],
  sent: ReadonlySet<string>,
  observation: Observation,
): PropertyMap =>
  refreshInputs(
    leafFields(fields).filter(({ displayPath: text }) => !sent.has(text)),
    observation,
  ).declared;

type Verdict = "same" | "omitted" | { readonly found: PropertyValue };

function compared(
  field: Field,
  ours: PropertyValue,
  { lastRead, current, privateState: memory = {} }: Observation,
): Verdict {
  const theirs = valueAt(current, field.path);
  // Stryker disable next-line ConditionalExpression: only faster
  if (identical(ours, theirs)) return "same";
  const found = inDeclaredShape(field, ours, theirs);
  if (sameValue(field, ours, found)) return "same";
  const isFixed = field.onChange === "replace";
  // No operation changes such a field, so an answer that leaves it out says nothing of it.
  if (isFixed && isNotReturned(field, theirs)) return "same";
  const isAbsent = found === undefined;
  if (isAbsent && memory.omitted?.includes(field.displayPath)) return "omitted";
  const past = inDeclaredShape(field, ours, valueAt(lastRead, field.path));
  if (sameValue(field, past, found)) return "same";
  // The first answer after a write of ours shows how the service writes the value.
  if (isFixed && memory.written) return "same";
  if (memory.sent?.includes(field.displayPath)) {
    const former = inDeclaredShape(field, ours, valueAt(memory.former ?? {}, field.path));
    if (sameValue(field, former, found)) return isAbsent ? "omitted" : "same";
  }
  return { found };
}

/** The declared fields with the API's values in the declared shape; what the API does not return is absent. */
export function currentInputs(
  fields: readonly Field[],
  declared: PropertyMap,
  found: PropertyMap,
): PropertyMap {
  return leafFields(fields).reduce((properties, field) => {
    const value = valueAt(declared, field.path);
    if (value === undefined || field.onChange === "providerOnly" || field.onChange === "sentAlong")
      return properties;
    const present = field.writeOnly ? undefined : inDeclaredShape(field, value, valueAt(found, field.path));
    return withValueAt(properties, field.path, present);
  }, declared);
}

/** The API's value in the declared shape: members that the server added are left out, the order is the declared one. */
export function inDeclaredShape(field: Field, declared: PropertyValue, found: PropertyValue): PropertyValue {
  if (!isList(found)) {
    return isMap(found) && isMap(declared)
      ? memberwise(field.elements ?? [], declared, found)
      : (found ?? undefined);
  }
  const declaredElements = elementsOf(declared);
  const rest = new ElementIndex(field, found);
  const matched = declaredElements.flatMap((element): readonly PropertyValue[] => {
    const match = rest.take(element);
    if (match === undefined) return [];
    return [isMap(match) && isMap(element) ? memberwise(field.elements ?? [], element, match) : match];
  });
  if (field.sharedList) return matched;
  if (field.unordered) return [...matched, ...rest.left().map(withoutNulls)];
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

/** The elements of a list by what tells one from another, to be taken one by one: long lists come in any order. */
class ElementIndex {
  /** By the names of the members that tell elements apart: positions by the values of these members, the first one last. */
  readonly #positions = new Map<string, ReadonlyMap<string, number[]>>();
  readonly #taken = new Set<number>();

  constructor(
    private readonly field: Field,
    private readonly elements: readonly PropertyValue[],
  ) {}

  /** The first element left that is the given one. */
  take(element: PropertyValue): PropertyValue {
    const names = this.#identityOf(element);
    const positions = this.#positionsBy(names).get(keyBy(this.field, names, element)) ?? [];
    for (let at = positions.pop(); at !== undefined; at = positions.pop()) {
      if (this.#taken.has(at)) continue;
      this.#taken.add(at);
      return this.elements[at];
    }
    return undefined;
  }

  /** The elements that were not taken. */
  left(): readonly PropertyValue[] {
    return this.elements.filter((_, at) => !this.#taken.has(at));
  }

  /** Where the field names no identity, all declared members are it; what else an element has is the server's own. */
  #identityOf(element: PropertyValue): readonly string[] {
    const { identity } = this.field;
    return identity.length === 0 && isMap(element) ? Object.keys(element).sort() : identity;
  }

  #positionsBy(names: readonly string[]): ReadonlyMap<string, number[]> {
    const id = JSON.stringify(names);
    const known = this.#positions.get(id);
    if (known !== undefined) return known;
    const positions = new Map<string, number[]>();
    for (let at = this.elements.length - 1; at >= 0; at -= 1) {
      const key = keyBy(this.field, names, this.elements[at]);
      const list = positions.get(key);
      if (list === undefined) positions.set(key, [at]);
      else list.push(at);
    }
    this.#positions.set(id, positions);
    return positions;
  }
}

/** What two elements have in common that agree in the named members: an empty text is none there. */
const keyBy = (field: Field, names: readonly string[], element: PropertyValue): string =>
  isMap(element)
    ? `members ${JSON.stringify(identityOf({ ...field, identity: names }, element))}`
    : `value ${JSON.stringify(canonical(undefined, element))}`;

/** All declarable fields as the API returns them: what a resource that is only read shows. */
export function importedInputs(fields: readonly Field[], found: PropertyMap): PropertyMap {
  return leafFields(fields).reduce<PropertyMap>((properties, field) => {
    const value = withoutNulls(valueAt(found, field.path)) ?? undefined;
    return withValueAt(properties, field.path, value);
  }, {});
}
