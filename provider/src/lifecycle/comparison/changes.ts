import { isNotReturned, sameValue, elementsOf, identityKey } from "./equality";
import type { OnChange } from "./field-schema";
import type { Field } from "./fields";
import { inDeclaredShape } from "./declared-shape";
import { isFalseOrEmpty, isList, isMap, pick, UNKNOWN, valueAt, withValueAt } from "./property-value";
import type { PropertyMap, PropertyValue } from "./property-value";

export interface Change {
  readonly field: Field;
  readonly path: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
  /** What the output `observed` has of it. */
  readonly observed: PropertyValue;
  /** What the change needs; "none" updates the state alone. */
  readonly effect: OnChange | "none";
}

/** The fields that differ between two values of an object, in the order of the schema. */
export const changesBetween = (
  fields: readonly Field[],
  before: PropertyValue,
  after: PropertyValue,
  observed?: PropertyValue,
): readonly Change[] =>
  fields.flatMap((field) => {
    const change: Change = {
      field,
      path: field.displayPath,
      before: valueAt(before, [field.name]),
      after: valueAt(after, [field.name]),
      observed: valueAt(observed, [field.name]),
      effect: field.onChange,
    };
    if (addsOrRemovesVariant(change)) return [change];
    if (field.members !== undefined)
      return changesBetween(field.members, change.before, change.after, change.observed);
    const known = isFirstDeclared(change)
      ? inDeclaredShape(field, change.after, change.observed)
      : change.before;
    if (!sameValue(field, known, change.after)) return [{ ...change, before: known }];
    return sameValue(field, change.before, change.after) ? [] : [{ ...change, effect: "none" }];
  });

const addsOrRemovesVariant = ({ field, before, after }: Change): boolean =>
  field.variant === true && after !== UNKNOWN && (before === undefined) !== (after === undefined);

/**
 * A list that the program did not declare before, and that an update changes by its elements: they are compared with
 * those that the API returned. An empty one clears them. To a shared list, others add, too.
 */
const isFirstDeclared = ({ field, before, after, effect }: Change): boolean =>
  before === undefined &&
  isList(after) &&
  (after.length === 0 || field.identity.length > 0) &&
  effect === "update" &&
  field.sharedList !== true;

export const changesOfProgram = (
  fields: readonly Field[],
  { declared, observed }: { readonly declared: PropertyMap; readonly observed: PropertyMap },
  inputs: PropertyMap,
): readonly Change[] =>
  changesBetween(fields, declared, inputs, observed)
    .filter(({ field }) => !field.ignoredAfterCreate)
    .map(withReturnedMembers)
    .map((change) => (isStateOnly(change) ? { ...change, effect: "none" } : change));

/** Members of elements are unchanged if declared as the API returned them, or false and no longer declared. */
function withReturnedMembers(change: Change): Change {
  const { field, before, after, observed, effect } = change;
  if (effect !== "update" || field.sharedList || field.identity.length === 0 || !isList(before))
    return change;
  const sameElement = (list: PropertyValue, element: PropertyValue): PropertyValue =>
    elementsOf(list).find((other) => identityKey(field, other) === identityKey(field, element));
  const known = before.map((element) => {
    const [declared, returned] = [sameElement(after, element), sameElement(observed, element)];
    if (!isMap(element) || !isMap(declared)) return element;
    const kept = Object.entries(element).filter(
      ([name, value]) => name in declared || !isFalseOrEmpty(value),
    );
    return { ...(isMap(returned) && pick(returned, Object.keys(declared))), ...Object.fromEntries(kept) };
  });
  return { ...change, before: known, ...(sameValue(field, known, after) && { effect: "none" }) };
}

/** An immutable field that the program removes, or declares as the API returns it, needs no replacement. */
function isStateOnly(change: Change): boolean {
  const { field, after, observed, effect } = change;
  if (effect !== "replace" || after === UNKNOWN || addsOrRemovesVariant(change)) return false;
  if (after === undefined) return true;
  if (field.writeOnly || isNotReturned(field, observed)) return false;
  return sameValue(field, inDeclaredShape(field, after, observed), after);
}

export const changesOf = (onChange: OnChange, changes: readonly Change[]): readonly Change[] =>
  changes.filter((change) => change.effect === onChange);

/** The values without the changes that no update can make: the next diff finds them again. */
export const withoutReplacements = (changes: readonly Change[], declared: PropertyMap): PropertyMap =>
  changesOf("replace", changes).reduce(
    (map, { field, before }) => withValueAt(map, field.path, before),
    declared,
  );

/** Whether the program removes a field that no request can unset. Of a shared list, elements are removed. */
export const isRemoval = ({ field, after }: Change): boolean => after === undefined && !field.sharedList;
