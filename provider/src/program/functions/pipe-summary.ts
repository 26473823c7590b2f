import { Secrets } from "../../api/secrets/redaction";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import {
  isList,
  isMap,
  mapMembers,
  mapOf,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import type { PipeSummary } from "./results";
import type { ListedPipe } from "../../resources/pipe/observed";

/** The pipe as data functions return it: without secrets and nulls, and with one kind of source. */
export function summaryOf(pipe: ListedPipe): PipeSummary {
  const secrets = new Secrets(pipe);
  const shown = withoutSecrets(withoutNulls(pipe), (text) => secrets.redact(text));
  return {
    ...shown,
    id: pipe.id,
    serviceId: textOf(shown["serviceId"]),
    name: textOf(shown["name"]),
    state: textOf(shown["state"]),
    source: oneKind(mapOf(shown["source"])),
    destination: mapOf(shown["destination"]),
    fieldMappings: (isList(shown["fieldMappings"]) ? shown["fieldMappings"] : [])
      .filter(isMap)
      .map(mappingOf),
    scaling: mapOf(shown["scaling"]),
    settings: mapOf(shown["settings"]),
    createdAt: textOf(shown["createdAt"]),
    updatedAt: textOf(shown["updatedAt"]),
  };
}

/** A text of an answer; empty if there is none. */
export const textOf = (value: PropertyValue): string =>
  typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);

const mappingOf = (mapping: PropertyMap) => ({
  ...mapping,
  sourceField: textOf(mapping["sourceField"]),
  destinationField: textOf(mapping["destinationField"]),
});

/** A copy without the members of secret names, at every depth; `redact` changes the texts of the others. */
export function withoutSecrets(map: PropertyMap, redact = (text: string): string => text): PropertyMap {
  const shown = (value: PropertyValue): PropertyValue => {
    if (typeof value === "string") return redact(value);
    if (isList(value)) return value.map(shown);
    return isMap(value) ? withoutSecrets(value, redact) : value;
  };
  return mapMembers(map, (member, name) => (SECRET_NAMES.has(name) ? undefined : shown(member)));
}

/** Some services return the kinds that a pipe does not have as objects without a value. */
function oneKind(source: PropertyMap): PropertyMap {
  const isEmpty = (member: PropertyValue): boolean => isMap(member) && Object.keys(member).length === 0;
  if (Object.values(source).filter(isMap).every(isEmpty)) return source;
  return mapMembers(source, (member) => (isEmpty(member) ? undefined : member));
}
