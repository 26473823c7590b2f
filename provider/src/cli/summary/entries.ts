import { fieldsOf, leafFields, type Field } from "../../lifecycle/comparison/fields";
import { isMap, type PropertyValue } from "../../lifecycle/comparison/property-value";
import { identityKey, setDiff } from "../../lifecycle/comparison/equality";
import { pipeFields } from "../../resources/pipe/schema";
import { serviceSettingsSchema } from "../../resources/service-settings/schema";
import { textOf } from "./values";

/** The lists whose order has no meaning. */
const SETS = leafFields([...pipeFields, ...fieldsOf(serviceSettingsSchema, new Set())]).filter(
  ({ unordered }) => unordered,
);

/** The set that a path of a preview, such as `fieldMappings[2].sourceField`, leads into. */
export const setAt = (path: string): Field | undefined =>
  SETS.find(({ displayPath }) => path === displayPath || path.startsWith(`${displayPath}[`));

/** A difference between two sets: the entry, or the member of an entry, and its values; undefined where it is absent. */
export interface EntryChange {
  readonly label: string;
  readonly before: PropertyValue;
  readonly after: PropertyValue;
}

/** What differs between two lists of a set, by the keys of the entries. */
export function entryChanges(
  field: Field,
  before: PropertyValue,
  after: PropertyValue,
): readonly EntryChange[] {
  const { add, remove } = setDiff(field, before, after);
  const added = new Map<string, PropertyValue>(add.map((entry) => [identityKey(field, entry), entry]));
  const changed = remove.flatMap((entry): readonly EntryChange[] => {
    const key = identityKey(field, entry);
    const counterpart = added.get(key);
    added.delete(key);
    return changesOfEntry(field, entry, counterpart);
  });
  return [...changed, ...[...added.values()].flatMap((entry) => changesOfEntry(field, undefined, entry))];
}

function changesOfEntry(field: Field, before: PropertyValue, after: PropertyValue): readonly EntryChange[] {
  const label = labelOf(field, before ?? after);
  if (!isMap(before) || !isMap(after)) return [{ label, before, after }];
  return Object.keys({ ...before, ...after })
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ label: `${label}.${name}`, before: before[name], after: after[name] }));
}

/** An entry as readers know it: `tableMappings[public, orders, orders]`. A text is its own value. */
function labelOf({ displayPath, identity }: Field, entry: PropertyValue): string {
  if (!isMap(entry)) return displayPath;
  return `${displayPath}[${identity.map((name) => textOf(entry[name]) ?? "").join(", ")}]`;
}
