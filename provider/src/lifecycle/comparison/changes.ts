import { isNotReturned, sameValue } from "./equality";
import { leafFields, type Field, type OnChange } from "./fields";
import { inDeclaredShape } from "./declared-shape";
import { isFalseOrEmpty, isList, isMap, pick, UNKNOWN, valueAt, withValueAt } from "./property-value";
import type { PropertyMap, PropertyValue } from "./property-value";
import { elementsOf, identityKey } from "./set-diff";

export interface Change {
  readonly field: Field;
  readonly path: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
  /** What the change needs; "none" updates the state alone. */
  readonly effect: OnChange | "none";
}

/** The fields that differ between two sets of properties, in the order of the schema. */
export const changesBetween = (
  fields: readonly Field[],
  before: PropertyMap,
  after: PropertyMap,
): readonly Change[] =>
  fields.flatMap((field) => {
    const oldValue = valueAt(before, field.path);
    const newValue = valueAt(after, field.path);
    const change: Change = {
      field,
      path: field.displayPath,
      before: oldValue,
      after: newValue,
      effect: field.onChange,
    };
    if (addsOrRemovesVariant(change)) return [change];
    if (field.members !== undefined) return changesBetween(field.members, before, after);
    return sameValue(field, oldValue, newValue) ? [] : [change];
  });

const addsOrRemovesVariant = ({ field, before, after }: Change): boolean =>
  field.variant === true && after !== UNKNOWN && (before === undefined) !== (after === undefined);

export const changesOfProgram = (
  fields: readonly Field[],
  { declared, observed }: { readonly declared: PropertyMap; readonly observed: PropertyMap },
  inputs: PropertyMap,
): readonly Change[] =>
  changesBetween(fields, withClearedLists(fields, { declared, observed }, inputs), inputs)
    .filter(({ field }) => !field.ignoredAfterCreate)
    .map((change) => withReturnedMembers(change, observed))
    .map((change) => (isStateOnly(change, observed) ? { ...change, effect: "none" } : change));

/** An empty list that the program did not declare before clears what the API returned, unless others add to the list. */
const withClearedLists = (
  fields: readonly Field[],
  { declared, observed }: { readonly declared: PropertyMap; readonly observed: PropertyMap },
  inputs: PropertyMap,
): PropertyMap =>
  leafFields(fields)
    .filter(({ onChange, sharedList, path }) => {
      const isCleared = isList(valueAt(inputs, path)) && isFalseOrEmpty(valueAt(inputs, path));
      return isCleared && onChange === "update" && !sharedList && valueAt(declared, path) === undefined;
    })
    .reduce((map, { path }) => withValueAt(map, path, valueAt(observed, path)), declared);

/** Members of elements are unchanged if declared as the API returned them, or false and no longer declared. */
function withReturnedMembers(change: Change, observed: PropertyMap): Change {
  const { field, before, after, effect } = change;
  const current = valueAt(observed, field.path);
  if (effect !== "update" || field.sharedList || field.identity.length === 0 || !isList(before))
    return change;
  const sameElement = (list: PropertyValue, element: PropertyValue): PropertyValue =>
    elementsOf(list).find((other) => identityKey(field, other) === identityKey(field, element));
  const known = before.map((element) => {
    const [declared, returned] = [sameElement(after, element), sameElement(current, element)];
    if (!isMap(element) || !isMap(declared)) return element;
    const kept = Object.entries(element).filter(
      ([name, value]) => name in declared || !isFalseOrEmpty(value),
    );
    return { ...(isMap(returned) && pick(returned, Object.keys(declared))), ...Object.fromEntries(kept) };
  });
  return { ...change, before: known, ...(sameValue(field, known, after) && { effect: "none" }) };
}

/** An immutable field that the program removes, or declares as the API returns it, needs no replacement. */
function isStateOnly(change: Change, observed: PropertyMap): boolean {
  const { field, after, effect } = change;
  if (effect !== "replace" || after === UNKNOWN || addsOrRemovesVariant(change)) return false;
  if (after === undefined) return true;
  const current = field.writeOnly ? undefined : valueAt(observed, field.path);
  return !isNotReturned(field, current) && sameValue(field, inDeclaredShape(field, after, current), after);
}

/** The change with the API's value as `before`, if the program did not declare the field. */
export const withCurrentValue = (change: Change, observed: PropertyMap): Change =>
  change.before === undefined ? { ...change, before: valueAt(observed, change.field.path) } : change;

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
