import { identical, isNotReturned, sameValue } from "./equality";
import { type Field, type OnChange } from "./fields";
import { inDeclaredShape } from "./drift";
import { containsUnknown, UNKNOWN, valueAt, type PropertyMap, type PropertyValue } from "./property-value";

/** One field whose value is another one now. */
export interface Change {
  readonly field: Field;
  /** The field's place, as people write it. */
  readonly path: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
  /** What the change leads to: what its field says, or nothing but another state. */
  readonly effect: OnChange | "none";
}

/** Which of the fields differ between two sets of properties, in the order of their declaration. */
export function changesBetween(
  fields: readonly Field[],
  before: PropertyMap,
  after: PropertyMap,
): readonly Change[] {
  return fields.flatMap((field) => {
    const old = valueAt(before, field.path);
    const now = valueAt(after, field.path);
    // Nothing changes in most fields of most resources.
    // Stryker disable next-line ConditionalExpression: only faster
    if (identical(old, now)) return [];
    const change: Change = {
      field,
      path: field.displayPath,
      before: old,
      after: now,
      effect: field.onChange,
    };
    if (field.variant && appearsOrVanishes(change)) return [change];
    if (field.members !== undefined) return changesBetween(field.members, before, after);
    return sameValue(field, change.before, change.after) ? [] : [change];
  });
}

const appearsOrVanishes = ({ before, after }: Change): boolean =>
  after !== UNKNOWN && (before === undefined) !== (after === undefined);

/**
 * What the program changes of a resource that is in the stack. Of a field that no operation changes, it is no change when the
 * program no longer declares it, or declares what the API states already: only the state learns of that.
 */
export const changesOfProgram = (
  fields: readonly Field[],
  { declared, observed }: { readonly declared: PropertyMap; readonly observed: PropertyMap },
  news: PropertyMap,
): readonly Change[] =>
  changesBetween(fields, declared, news)
    .filter(({ field }) => !field.ignoredAfterCreate)
    .map((change) => (changesTheState(change, observed) ? { ...change, effect: "none" } : change));

function changesTheState({ field, before, after, effect }: Change, observed: PropertyMap): boolean {
  if (effect !== "replace" || after === UNKNOWN) return false;
  if (field.variant && (before === undefined) !== (after === undefined)) return false;
  if (after === undefined) return true;
  const stated = field.writeOnly ? undefined : valueAt(observed, field.path);
  return !isNotReturned(field, stated) && sameValue(field, inDeclaredShape(field, after, stated), after);
}

/** The change with what the API states, where the program was silent until now. */
export const withCurrentValue = (change: Change, observed: PropertyMap): Change =>
  change.before === undefined ? { ...change, before: valueAt(observed, change.field.path) } : change;

/** The changes of one meaning. */
export const changesOf = (onChange: OnChange, changes: readonly Change[]): readonly Change[] =>
  changes.filter((change) => change.effect === onChange);

/** The changes that need another resource and are certain: a value that is unknown may turn out to be the same. */
export const certainReplacements = (changes: readonly Change[]): readonly Change[] =>
  changesOf("replace", changes).filter((change) => !containsUnknown(change.after));

/**
 * What is left of an optional field that the program no longer names: nothing can be sent for it. Of a list of which only
 * the declared elements are ours, none are left.
 */
export const isRemoval = ({ field, after }: Change): boolean => after === undefined && !field.sharedList;
