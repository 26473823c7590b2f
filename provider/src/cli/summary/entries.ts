import { ownMember } from "../../values/own-member";
import { leafFields, fieldsOf, type Field } from "../../lifecycle/fields";
import { isList, isMap, valueAt, type PropertyValue } from "../../lifecycle/property-value";
import { elementsOf, identityKey } from "../../lifecycle/set-diff";
import { ownDefinition, ownType } from "./own-types";
import { isMarkedSecret, withoutSecrets } from "./secrets";
import { getOrAdd } from "../../values/get-or-add";

/** A value that changes, without secrets. */
export interface ValueChange {
  readonly path: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
}

const listsByType = new Map<string, readonly Field[]>();

/** The lists of a type whose order has no meaning. */
function unorderedLists(token: string): readonly Field[] {
  const [type, definition] = [ownType(token), ownDefinition(token)];
  if (type === undefined || definition === undefined) return [];
  return getOrAdd(listsByType, type, () =>
    leafFields(fieldsOf(definition.schema, definition.secretNames)).filter(({ unordered }) => unordered),
  );
}

/** The list whose order has no meaning that a path of a diff leads to or into. */
export const listAt = (token: string, path: string): Field | undefined =>
  unorderedLists(token).find(({ displayPath }) => path === displayPath || path.startsWith(`${displayPath}[`));

/** The changes of a list, one for each entry or member of an entry. Undefined where the JSON lacks the entries. */
export function listChanges(
  field: Field,
  oldState: PropertyValue,
  newState: PropertyValue,
): readonly ValueChange[] | undefined {
  const before = valueAt(oldState, field.path);
  const after = valueAt(newState, field.path);
  if (!isComparable(before) || !isComparable(after)) return undefined;
  const [old, now] = [entriesOf(field, before), entriesOf(field, after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key) => entryChanges(field, old.get(key), now.get(key)));
}

const isComparable = (value: PropertyValue): boolean =>
  value == null || (isList(value) && !value.some(isMarkedSecret));

/** The entries by what identifies them, without secrets. */
const entriesOf = (field: Field, list: PropertyValue): ReadonlyMap<string, PropertyValue> =>
  new Map(elementsOf(withoutSecrets(list)).map((entry) => [identityKey(field, entry), entry]));

function entryChanges(field: Field, before: PropertyValue, after: PropertyValue): readonly ValueChange[] {
  const path = pathOf(field, before ?? after);
  if (before === undefined || after === undefined) return [{ path, before, after }];
  if (!isMap(before) || !isMap(after)) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const change: ValueChange = {
      path: `${path}.${name}`,
      before: ownMember(before, name),
      after: ownMember(after, name),
    };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

/** The path of an entry: what identifies it stands where Pulumi has its index. */
function pathOf({ displayPath, identity }: Field, entry: PropertyValue): string {
  if (!isMap(entry)) return displayPath;
  const values = identity.map((name) => ownMember(entry, name)).filter((value) => value !== undefined);
  const names = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return `${displayPath}[${names.join(", ")}]`;
}
