import { isList, isMap, valueAt, type PropertyMap, type PropertyValue } from "../../lifecycle/property-value";
import { ownMember } from "../../values/own-member";

/** A text without its case and the space around it. */
export const folded = (value: PropertyValue): PropertyValue =>
  typeof value === "string" ? value.normalize("NFC").trim().toLowerCase() : value;

/** Services have been seen to remove doubled slashes, and slashes at the ends, from a path. */
function withoutSlashes(value: PropertyValue): PropertyValue {
  const text = folded(value);
  return typeof text === "string" ? text.replace(/\/+/g, "/").replace(/^\/|\/$/g, "") : text;
}

/** The database of a pipe that names none. */
const DEFAULT_DATABASE = "default";
const DEFAULT_POSTGRES_PORT = "5432";

/**
 * What a pipe loads: a text for each pair of something that it reads and the table that it goes to. Pipes with a
 * common text load the same data, whatever their names, credentials, formats and settings are. Without a text, it is
 * not known what the pipe loads.
 */
export function loadsOf(pipe: PropertyMap, serviceId: PropertyValue = pipe["serviceId"]): readonly string[] {
  const { source, destination } = pipe;
  const { database, table } = mapOf(destination);
  const { kind, given } = kindOfSource(source);
  const readsOf = ownMember(READS, kind ?? "");
  return (readsOf?.(given) ?? []).flatMap(({ from, into = table }) => {
    const compared: readonly PropertyValue[] = [serviceId, database ?? DEFAULT_DATABASE, into, kind, ...from];
    const parts = compared.map(comparable);
    const isKnown = typeof into === "string" && parts.every(isScalar) && from.some((part) => part != null);
    return isKnown ? [JSON.stringify(parts)] : [];
  });
}

/** Which of the others load the same as a pipe. */
export function sameLoads<T>(
  loads: readonly string[],
  others: Iterable<T>,
  loadsOfOther: (other: T) => readonly string[],
): readonly T[] {
  const wanted = new Set(loads);
  return wanted.size === 0
    ? []
    : [...others].filter((other) => loadsOfOther(other).some((load) => wanted.has(load)));
}

/** What a pipe reads, and the table if it is not that of the destination. */
interface Read {
  readonly from: readonly PropertyValue[];
  readonly into?: PropertyValue;
}

/** By the kind of source. */
const READS: Readonly<Record<string, (source: PropertyMap) => readonly Read[]>> = {
  // One of several brokers names the cluster.
  kafka: ({ brokers, topics }) =>
    listed(brokers).flatMap((broker) => listed(topics).map((topic) => ({ from: [broker, topic] }))),
  objectStorage: ({ url, azureContainerName, path }) => [
    { from: [withoutSlashes(url), azureContainerName, withoutSlashes(path)] },
  ],
  kinesis: ({ streamName, region }) => (streamName == null ? [] : [{ from: [streamName, region] }]),
  postgres: ({ host, port, database, tableMappings }) =>
    host == null || !isList(tableMappings)
      ? []
      : tableMappings.map((mapping) => ({
          from: [
            host,
            typeof port === "number" ? String(port) : (port ?? DEFAULT_POSTGRES_PORT),
            database,
            ...["sourceSchemaName", "sourceTable"].map((name) => valueAt(mapping, [name])),
          ],
          into: valueAt(mapping, ["targetTable"]),
        })),
};

const comparable = (value: PropertyValue): PropertyValue => (value == null ? "" : folded(value));

const mapOf = (value: PropertyValue): PropertyMap => (isMap(value) ? value : {});

/** The kind of a source, and its fields. Some services return the kinds that a pipe does not have, too, empty. */
export function kindOfSource(source: PropertyValue): { readonly kind?: string; readonly given: PropertyMap } {
  const isFilled = ([, value]: [string, PropertyValue]): boolean =>
    Object.values(mapOf(value)).some((member) => member != null);
  const [kind, given] = Object.entries(mapOf(source)).find(isFilled) ?? [];
  return { ...(kind !== undefined && { kind }), given: mapOf(given) };
}

/** What the API takes as one text, in any order. */
const listed = (value: PropertyValue): readonly string[] =>
  typeof value === "string" ? value.split(",").filter((part) => part.trim() !== "") : [];

/** Neither unknown nor encrypted. */
const isScalar = (value: PropertyValue): boolean => typeof value === "string" || typeof value === "number";
