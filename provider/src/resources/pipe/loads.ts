import {
  isMap,
  mapOf,
  UNKNOWN,
  valueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { elementsOf } from "../../lifecycle/comparison/equality";
import { getOrAdd } from "../../values/get-or-add";
import { ownMember } from "../../values/own-member";
import type { SourceKind } from "./source-schema";

/** Something that a pipe reads, and the table that it goes to. */
export interface Load {
  /** Equal for the same source and table, whatever names, credentials, formats and settings are. */
  readonly key: string;
  /** What tells apart sources of one key, if it is known of both. */
  readonly qualifier?: PropertyValue;
}

/** Whether two loads are the same for certain. */
export const isEqual = (one: Load, other: Load): boolean =>
  one.key === other.key && one.qualifier === other.qualifier;

export const mayBeEqual = (one: Load, other: Load): boolean =>
  one.key === other.key &&
  (one.qualifier === other.qualifier || one.qualifier === undefined || other.qualifier === undefined);

export const overlap = (loads: readonly Load[], others: readonly Load[]): boolean =>
  loads.some((one) => others.some((other) => mayBeEqual(one, other)));

const DEFAULT_DATABASE = "default";
const DEFAULT_SCHEMA = "public";
const DEFAULT_PORT = 5432;

const NOTHING: PropertyMap = {};

/** The checks of a program compare each pipe with all others. */
const known = new WeakMap<PropertyMap, WeakMap<PropertyMap, readonly Load[]>>();

/** What a pipe loads by these values, and by the others where these are absent or not known yet. */
export function loadsOf(pipe: PropertyMap, others = NOTHING): readonly Load[] {
  const ofPipe = getOrAdd(known, pipe, () => new WeakMap());
  return getOrAdd(ofPipe, others, () => readLoads(mapOf(completed(pipe, others))));
}

function completed(value: PropertyValue, other: PropertyValue): PropertyValue {
  if (value === undefined || value === null || value === UNKNOWN) return other;
  if (!isMap(value) || !isMap(other)) return value;
  const names = Object.keys({ ...other, ...value });
  return Object.fromEntries(
    names.map((name) => [name, completed(ownMember(value, name), ownMember(other, name))]),
  );
}

function readLoads({ source, destination }: PropertyMap): readonly Load[] {
  const { database, table } = mapOf(destination);
  const kind = kindOfSource(source) ?? "";
  const readsOf = ownMember<(fields: PropertyMap) => readonly Read[]>(READS, kind);
  const reads = readsOf?.(mapOf(valueAt(source, [kind]))) ?? [];
  return reads.flatMap(({ from, into = table, qualifier }) => {
    const given: readonly PropertyValue[] = [database ?? DEFAULT_DATABASE, into, kind, ...from];
    const parts = given.map((part): PropertyValue => part ?? "");
    const isKnown = typeof into === "string" && parts.every(isScalar) && from.some((part) => part != null);
    if (!isKnown || qualifier === UNKNOWN) return [];
    return [{ key: JSON.stringify(parts.map(String)), ...(isScalar(qualifier) && { qualifier }) }];
  });
}

/** What a pipe reads, and the table if it is not that of the destination. */
interface Read {
  readonly from: readonly PropertyValue[];
  readonly into?: PropertyValue;
  readonly qualifier?: PropertyValue;
}

/** By the kind of source. Names and keys are compared exactly, hosts without their case. */
const READS: Readonly<Record<SourceKind, (fields: PropertyMap) => readonly Read[]>> = {
  // One of several brokers names the cluster.
  kafka: ({ brokers, topics }) =>
    listed(lowerCase(brokers)).flatMap((broker) =>
      listed(topics).map((topic) => ({ from: [broker, topic] })),
    ),
  objectStorage: ({ url, azureContainerName, path, connectionString }) => {
    if (azureContainerName == null) return [{ from: [location(url), location(path)] }];
    const isUnknown = connectionString === UNKNOWN || url === UNKNOWN;
    const qualifier = isUnknown ? UNKNOWN : (accountIn(connectionString) ?? accountIn(url));
    return [{ from: [azureContainerName, location(path)], qualifier }];
  },
  kinesis: ({ streamName, region }) => [{ from: [streamName], qualifier: region }],
  postgres: ({ host, port, database, tableMappings }) => {
    const server: readonly PropertyValue[] = [lowerCase(host), port ?? DEFAULT_PORT, database];
    const mappings = host == null ? [] : elementsOf(tableMappings).filter(isMap);
    return mappings.map(({ sourceSchemaName, sourceTable, targetTable }) => ({
      from: [...server, sourceSchemaName ?? DEFAULT_SCHEMA, sourceTable],
      into: targetTable,
    }));
  },
};

const lowerCase = (value: PropertyValue): PropertyValue =>
  typeof value === "string" ? value.trim().toLowerCase() : value;

/** What the API takes as one text, in any order. */
const listed = (value: PropertyValue): readonly string[] =>
  typeof value === "string"
    ? value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
    : [];

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

/** Neither unknown nor encrypted. */
const isScalar = (value: PropertyValue): boolean => typeof value === "string" || typeof value === "number";

/** The kind of a source. Some services return the kinds that a pipe does not have, too, empty. */
export const kindOfSource = (source: PropertyValue): string | undefined => {
  const isFilled = (kind: PropertyValue) => Object.values(mapOf(kind)).some((member) => member != null);
  return Object.keys(mapOf(source)).find((name) => isFilled(valueAt(source, [name])));
};
