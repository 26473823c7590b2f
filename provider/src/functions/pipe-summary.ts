import { SECRET_NAMES } from "../api/secrets/secret-names";
import {
  isList,
  isMap,
  mapMembers,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../lifecycle/property-value";
import type { ListedPipe } from "../resources/pipe/observed";

/** The pipe as data functions return it: without secrets and nulls, and with one kind of source. */
export function summaryOf(pipe: ListedPipe): ListedPipe {
  const empty = { source: {}, destination: {}, fieldMappings: [], scaling: {}, settings: {} };
  const { source, ...members } = withoutSecrets(withoutNulls(pipe) as ListedPipe);
  return { ...empty, ...members, ...(isMap(source) && { source: oneKind(source) }) };
}

/** A copy without the members of secret names, at every depth. */
export function withoutSecrets<T extends PropertyValue>(value: T): T;
export function withoutSecrets(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map((element) => withoutSecrets(element));
  if (!isMap(value)) return value;
  return mapMembers(value, (member, name) => (SECRET_NAMES.has(name) ? undefined : withoutSecrets(member)));
}

/** Some services return the kinds that a pipe does not have as objects without a value. */
function oneKind(source: PropertyMap): PropertyMap {
  const isEmpty = (member: PropertyValue): boolean => isMap(member) && Object.keys(member).length === 0;
  if (Object.values(source).filter(isMap).every(isEmpty)) return source;
  return mapMembers(source, (member) => (isEmpty(member) ? undefined : member));
}
