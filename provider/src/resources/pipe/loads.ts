import {
  isList,
  isMap,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { getOrAdd } from "../../values/get-or-add";
import { ownMember } from "../../values/own-member";
import { idKey } from "../../values/uuid";
import type { SourceKind } from "./source-schema";

/** Something that a pipe reads, and the table that it goes to. */
export interface Load {
  /** Equal for the same source and table, whatever names, credentials, formats and settings are. */
  readonly key: string;
  /** What tells apart sources of one key, if it is known of both. */
  readonly qualifier?: string | undefined;
}

const isSame = (one: Load, other: Load): boolean =>
  one.key === other.key &&
  (one.qualifier === other.qualifier || one.qualifier === undefined || other.qualifier === undefined);

export const overlap = (loads: readonly Load[], others: readonly Load[]): boolean =>
  loads.some((one) => others.some((other) => isSame(one, other)));

/** The loads that are not among the others. */
export const without = (loads: readonly Load[], others: readonly Load[]): readonly Load[] =>
  loads.filter((one) => !others.some((other) => isSame(one, other)));

/** The database of a pipe that names none. */
const DEFAULT_DATABASE = "default";
const DEFAULT_SCHEMA = "public";
const DEFAULT_PORT = 5432;

const loadsOfPipes = new WeakMap<PropertyMap, readonly Load[]>();

/** What a pipe loads, as far as it is known. */
export function loadsOf(pipe: PropertyMap, serviceId: PropertyValue = pipe["serviceId"]): readonly Load[] {
  const known = loadsOfPipes.get(pipe);
  if (known !== undefined) return known;
  const loads = readLoads(pipe, serviceId);
  loadsOfPipes.set(pipe, loads);
  return loads;
}

function readLoads({ source, destination }: PropertyMap, serviceId: PropertyValue): readonly Load[] {
  const { database, table } = mapOf(destination);
  const { kind = "", given: fields } = kindOfSource(source);
  const reads = ownMember<(source: PropertyMap) => readonly Read[]>(READS, kind)?.(fields) ?? [];
  return reads.flatMap(({ from, into = table, qualifier }) => {
    const service = typeof serviceId === "string" ? idKey(serviceId) : serviceId;
    const given: readonly PropertyValue[] = [service, database ?? DEFAULT_DATABASE, into, kind, ...from];
    const parts = given.map((part) => part ?? "");
    const isKnown = typeof into === "string" && parts.every(isScalar) && from.some((part) => part != null);
    return isKnown ? [{ key: JSON.stringify(parts), qualifier: textOf(qualifier) }] : [];
  });
}

/** What a pipe reads, and the table if it is not that of the destination. */
interface Read {
  readonly from: readonly PropertyValue[];
  readonly into?: PropertyValue;
  readonly qualifier?: PropertyValue;
}

/** By the kind of source. Names and keys are compared exactly, hosts without their case. */
const READS: Readonly<Record<SourceKind, (source: PropertyMap) => readonly Read[]>> = {
  // One of several brokers names the cluster.
  kafka: ({ brokers, topics }) =>
    listed(brokers).flatMap((broker) =>
      listed(topics).map((topic) => ({ from: [lowerCase(broker), topic] })),
    ),
  objectStorage: ({ url, azureContainerName, path, connectionString }) =>
    azureContainerName == null
      ? [{ from: [location(url), location(path)] }]
      : [
          {
            from: [azureContainerName, location(path)],
            qualifier: accountIn(connectionString) ?? accountIn(url),
          },
        ],
  kinesis: ({ streamName, region }) =>
    streamName == null ? [] : [{ from: [streamName], qualifier: region }],
  postgres: ({ host, port, database, tableMappings }) =>
    host == null || !isList(tableMappings)
      ? []
      : tableMappings.filter(isMap).map(({ sourceSchemaName, sourceTable, targetTable }) => ({
          from: [
            lowerCase(host),
            typeof port === "string" ? Number(port) : (port ?? DEFAULT_PORT),
            database,
            sourceSchemaName ?? DEFAULT_SCHEMA,
            sourceTable,
          ],
          into: targetTable,
        })),
};

/** What the API takes as one text, in any order. */
const listed = (value: PropertyValue): readonly string[] =>
  typeof value !== "string"
    ? []
    : value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");

const lowerCase = (value: PropertyValue): PropertyValue =>
  typeof value === "string" ? value.trim().toLowerCase() : value;

/** A URL or a path. Services have been seen to remove doubled slashes, and slashes at the ends. */
const location = (value: PropertyValue): PropertyValue =>
  typeof value === "string"
    ? value
        .trim()
        .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, (origin) => origin.toLowerCase())
        .replace(/\/+/g, "/")
        .replace(/^\/|\/$/g, "")
    : value;

/** The name of a storage account in a connection string or in the URL of its blobs. */
function accountIn(value: PropertyValue): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, name] =
    /(?:^|;)\s*AccountName=([^;]+)/i.exec(value) ?? /https?:\/\/([^./:;]+)\./i.exec(value) ?? [];
  return name?.toLowerCase();
}

const mapOf = (value: PropertyValue): PropertyMap => (isMap(value) ? value : {});

const textOf = (value: PropertyValue): string | undefined => (typeof value === "string" ? value : undefined);

/** Neither unknown nor encrypted. */
const isScalar = (value: PropertyValue): boolean => typeof value === "string" || typeof value === "number";

/** The kind of a source, and its fields. Some services return the kinds that a pipe does not have, too, empty. */
export function kindOfSource(source: PropertyValue): { readonly kind?: string; readonly given: PropertyMap } {
  const isFilled = ([, value]: [string, PropertyValue]): boolean =>
    Object.values(mapOf(value)).some((member) => member != null);
  const [kind, given] = Object.entries(mapOf(source)).find(isFilled) ?? [];
  return { ...(kind !== undefined && { kind }), given: mapOf(given) };
}

const completedPipes = new WeakMap<PropertyMap, WeakMap<PropertyMap, PropertyMap>>();

/** A pipe by these values, and by the others where these are absent or not known yet. */
export const completedPipe = (pipe: PropertyMap, others: PropertyMap): PropertyMap =>
  getOrAdd(
    getOrAdd(completedPipes, pipe, () => new WeakMap()),
    others,
    () => ({
      serviceId: pipe["serviceId"] ?? others["serviceId"],
      source: completed(pipe["source"], others["source"]),
      destination: completed(pipe["destination"], others["destination"]),
    }),
  );

function completed(value: PropertyValue, other: PropertyValue): PropertyValue {
  if (value === undefined || value === null || value === UNKNOWN) return other;
  if (!isMap(value) || !isMap(other)) return value;
  const names = Object.keys({ ...other, ...value });
  return Object.fromEntries(
    names.map((name) => [name, completed(ownMember(value, name), ownMember(other, name))]),
  );
}
