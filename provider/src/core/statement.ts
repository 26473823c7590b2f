import { isNotReturned, sameValue } from "./equality";
import { isReadable, leafFields, type Field } from "./fields";
import { isMap, valueAt, withValueAt, type PropertyMap, type PropertyValue } from "./property-value";

/** What the API last stated of a resource: what is stored of it, and the declared values, which it does not repeat. */
export function withDeclaredValues(
  fields: readonly Field[],
  declared: PropertyMap,
  observed: PropertyMap,
): PropertyMap {
  const implied = fields.filter(isReadable).flatMap((field): [string, PropertyValue][] => {
    const { name, members } = field;
    const ours = declared[name];
    const theirs = observed[name];
    if (members === undefined)
      return theirs === undefined && !isNotReturned(field, ours) ? [[name, ours]] : [];
    return isMap(ours) ? [[name, withDeclaredValues(members, ours, isMap(theirs) ? theirs : {})]] : [];
  });
  return implied.length === 0 ? observed : { ...observed, ...Object.fromEntries(implied) };
}

/** What is stored of a statement: what the program does not declare, and what the API writes in another way. */
export function withoutDeclaredValues(
  fields: readonly Field[],
  declared: PropertyMap,
  stated: PropertyMap,
): PropertyMap {
  const known = new Map(fields.map((field) => [field.name, field]));
  const entries = Object.entries(stated).flatMap(([name, theirs]): [string, PropertyValue][] => {
    const field = known.get(name);
    const ours = declared[name];
    if (field === undefined || ours === undefined || !isReadable(field)) return [[name, theirs]];
    if (field.members === undefined) return sameValue(field, ours, theirs) ? [] : [[name, theirs]];
    if (!isMap(ours) || !isMap(theirs)) return [[name, theirs]];
    const beyond = withoutDeclaredValues(field.members, ours, theirs);
    return Object.keys(beyond).length === 0 ? [] : [[name, beyond]];
  });
  return Object.fromEntries(entries);
}

/**
 * What is known of a resource after an update: of a declared field that was not sent, what was known before, so that the next
 * read still finds what was changed elsewhere; of all else, what the answer states.
 */
export function readAfterUpdate(
  fields: readonly Field[],
  { before, answer, sent }: { before: PropertyMap; answer: PropertyMap; sent: ReadonlySet<string> },
  declared: PropertyMap,
): PropertyMap {
  return leafFields(fields)
    .filter(
      (field) =>
        isReadable(field) && !sent.has(field.displayPath) && valueAt(declared, field.path) !== undefined,
    )
    .reduce((stated, { path }) => withValueAt(stated, path, valueAt(before, path)), answer);
}
