import { isList, isMap, mapElements, mapMembers, type PropertyValue } from "./property-value";

/** A value that must be stored encrypted and shown as `[secret]`. Made by {@link markSecrets} alone. */
export class Secret {
  constructor(readonly value: MarkedValue) {}
}

/** A property value in which secrets are marked. */
export type MarkedValue =
  PropertyValue | Secret | readonly MarkedValue[] | { readonly [name: string]: MarkedValue };

/** The properties of a resource with their secrets marked. */
export type MarkedMap = Readonly<Record<string, MarkedValue>>;

/**
 * Marks every member that bears one of the names, wherever it stands: a secret that the server echoes at an
 * unexpected place is as secret as the one that was declared.
 */
export function markSecrets(value: PropertyValue, names: ReadonlySet<string>): MarkedValue {
  if (isList(value)) return mapElements(value, (element) => markSecrets(element, names));
  if (!isMap(value)) return value;
  return mapMembers(value, (member, name) =>
    names.has(name) && member !== undefined && member !== null
      ? new Secret(member)
      : markSecrets(member, names),
  );
}
