import { groupBy } from "es-toolkit/array";
import { mapValues, pickBy } from "es-toolkit/object";
import {
  isList,
  isMap,
  omit,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { leafFields } from "../../lifecycle/fields";
import { pipeFields } from "../../resources/pipe/schema";
import { observed, type ListedPipe } from "../../resources/pipe/observed";
import type { SOURCE_KINDS } from "../../resources/pipe/source-schema";

type Kind = (typeof SOURCE_KINDS)[number];

/** The kinds of source that can have the settings whose names begin so. A Postgres pipe has settings in its source alone. */
const KINDS_OF_SETTINGS: Readonly<Record<string, readonly Kind[]>> = {
  streaming: ["kafka", "kinesis"],
  objectStorage: ["objectStorage"],
  dbms: ["kafka", "kinesis", "objectStorage"],
};

/** Where a pipe has settings. */
const PLACES = [["settings"], ["source", "postgres", "settings"]] as const;

const NAMES: ReadonlySet<string> = new Set(
  leafFields(pipeFields)
    .filter(({ path }) => path.includes("settings"))
    .map(({ name }) => name),
);

/** What services are known to fill in. The API document states no defaults, and one pipe alone does not show them. */
const KNOWN_DEFAULTS: PropertyMap = {
  streamingMaxInsertWaitMs: 5000,
  objectStorageConcurrency: 1,
  objectStoragePollingIntervalMs: 100,
  objectStorageMaxInsertBytes: 10_737_418_240,
  objectStorageMaxFileCount: 100,
  dbmsMaxThreads: 8,
  dbmsMaxInsertThreads: 1,
  dbmsMinInsertBlockSizeBytes: 1_073_741_824,
  dbmsMaxDownloadThreads: 4,
  dbmsParallelDistributedInsertSelect: 2,
  objectStorageUseClusterFunction: true,
  dbmsParallelViewProcessing: false,
  syncIntervalSeconds: 60,
  pullBatchSize: 100_000,
};

/** The settings that a program need not declare. */
export interface UsualSettings {
  /** What the service filled in, as far as its pipes show it: settings of which all pipes have the same value. */
  readonly filledIn: PropertyMap;
  /** The arguments of a pipe without these settings, and without those that its kind of source cannot have. */
  readonly leaveOut: (args: PropertyMap) => PropertyMap;
}

/** For `--all-fields`. */
export const noUsualSettings: UsualSettings = { filledIn: {}, leaveOut: (args) => args };

/** Compares the settings of all pipes of the services, also of those that the program will not have. */
export function usualSettings(pipes: readonly ListedPipe[]): UsualSettings {
  const stated = pipes.flatMap((pipe) => {
    const current = observed(pipe);
    return PLACES.flatMap((path) =>
      settingsAt(current, path).filter(([name]) => NAMES.has(name) && mayHave(current, path, name)),
    );
  });
  const values = mapValues(
    groupBy(stated, ([name]) => name),
    (entries) => entries.map(([, value]) => value),
  );
  const filledIn = pickBy(
    mapValues(values, ([value]) => value),
    (value, name) => isFilledIn(name, value, values[name] ?? []),
  );
  const leaveOut = (args: PropertyMap): PropertyMap =>
    PLACES.reduce((map, path) => {
      const settings = valueAt(map, path);
      if (!isMap(settings)) return map;
      const isLeftOut = (name: string): boolean => Object.hasOwn(filledIn, name) || !mayHave(map, path, name);
      return withValueAt(map, path, omit(settings, Object.keys(settings).filter(isLeftOut)));
    }, withPlainMappings(args));
  return { filledIn, leaveOut };
}

const MAPPINGS = ["source", "postgres", "tableMappings"];

/** Services fill in what a table mapping does not have. */
function withPlainMappings(args: PropertyMap): PropertyMap {
  const mappings = valueAt(args, MAPPINGS);
  if (!isList(mappings)) return args;
  const isFilled = (value: PropertyValue, name: string): boolean =>
    (isList(value) && value.length === 0) || (name === "useCustomSortingKey" && value === false);
  const plain = mappings.map((mapping) =>
    isMap(mapping) ? pickBy(mapping, (value, name) => !isFilled(value, name)) : mapping,
  );
  return withValueAt(args, MAPPINGS, plain);
}

const isFilledIn = (name: string, value: PropertyValue, all: readonly PropertyValue[]): boolean =>
  ["number", "boolean"].includes(typeof value) &&
  all.every((each) => each === value) &&
  (all.length > 1 || KNOWN_DEFAULTS[name] === value);

const settingsAt = (pipe: PropertyMap, path: readonly string[]): (readonly [string, PropertyValue])[] => {
  const settings = valueAt(pipe, path);
  return isMap(settings) ? Object.entries(settings) : [];
};

/** Whether the kind of source can have a setting. Of one that this version does not know, it may. */
function mayHave({ source }: PropertyMap, path: readonly string[], name: string): boolean {
  const kinds = Object.entries(KINDS_OF_SETTINGS).find(([start]) => name.startsWith(start))?.[1];
  if (path.length > 1 || kinds === undefined) return true;
  return isMap(source) && kinds.some((kind) => !isEmptyMap(source[kind]));
}

/** Some services return the kinds that a pipe does not have, empty. */
const isEmptyMap = (value: PropertyValue): boolean => !isMap(value) || Object.keys(value).length === 0;
