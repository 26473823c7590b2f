import type { Failure } from "../../lifecycle/comparison/validation";
import { known, UNKNOWN } from "../../lifecycle/comparison/property-value";
import { pipeNamed } from "./observed";
import type { PipeDraft } from "./schema";
import { SOURCE_KINDS } from "./source-schema";

/** The rules between the fields of a pipe. Unknown values pass. */
export const pipeRules = (inputs: PipeDraft): readonly Failure[] => [
  ...oneSourceKind(inputs),
  ...allColumnsMapped(inputs),
];

/** The kind of an adopted pipe may be one that no program can declare. */
function oneSourceKind({ source, adopt }: PipeDraft): readonly Failure[] {
  if (source === undefined || source === UNKNOWN) return [];
  const given = SOURCE_KINDS.filter((kind) => source[kind] !== undefined && source[kind] !== UNKNOWN);
  const mayBeGiven = SOURCE_KINDS.some((kind) => source[kind] === UNKNOWN);
  if (given.length === 1 || (given.length === 0 && (mayBeGiven || adopt !== undefined))) return [];
  const found = given.length === 0 ? "none" : given.join(" and ");
  const reason = `must have exactly one of ${SOURCE_KINDS.join(", ")}; it has ${found}`;
  return [{ path: ["source"], reason }];
}

function allColumnsMapped(inputs: PipeDraft): readonly Failure[] {
  const { destination, fieldMappings = [] } = inputs;
  const columns = known(known(destination)?.columns) ?? [];
  // With a mapping that is not known yet, any column may be mapped.
  if (fieldMappings === UNKNOWN) return [];
  const mapped = new Set(
    fieldMappings.map((mapping) => (mapping === UNKNOWN ? UNKNOWN : mapping.destinationField)),
  );
  if (mapped.has(UNKNOWN)) return [];
  const missing = columns
    .map((column) => known(column)?.name)
    .filter((name) => typeof name === "string" && !mapped.has(name));
  if (missing.length === 0) return [];
  const names = [...new Set(missing)].map((name) => JSON.stringify(name)).join(", ");
  return [{ path: ["fieldMappings"], reason: `must cover every destination column; missing: ${names}` }];
}

/** What each kind of source needs, so that a pipe can load something. */
const NEEDED = {
  kafka: ["brokers", "topics"],
  objectStorage: ["url"],
  kinesis: ["streamName"],
  postgres: ["host", "database", "tableMappings"],
} as const satisfies Record<(typeof SOURCE_KINDS)[number], readonly string[]>;

/** Warns of what a new pipe lacks, although nothing can be loaded without it. The API document does not require it. */
export function gapWarnings({ name, source, destination }: PipeDraft): readonly string[] {
  const [kind, given] = declaredSource(source);
  if (kind === undefined) return [];
  const isMissing = (field: string): boolean => {
    const value = given[field];
    return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  };
  const isInContainer = kind === "objectStorage" && !isMissing("azureContainerName") && !isMissing("path");
  const missing = isInContainer
    ? []
    : NEEDED[kind].filter(isMissing).map((field) => `source.${kind}.${field}`);
  // Table mappings name the tables themselves.
  const needsTable = kind !== "postgres" && destination !== UNKNOWN && !destination?.table;
  const all = [...missing, ...(needsTable ? ["destination.table"] : [])];
  if (all.length === 0) return [];
  return [`${pipeNamed(name)} has no ${all.join(" or ")}, so it cannot load anything.`];
}

/** The fields of a source that the API never returns, and without which most sources refuse a pipe. */
const CREDENTIALS = ["credentials", "accessKey", "connectionString", "iamRole"];

/** Warns of a pipe that is created again without the credentials that the program did not have to declare before. */
export function credentialWarnings({ name, source }: PipeDraft): readonly string[] {
  const [kind, given] = declaredSource(source);
  if (kind === undefined || CREDENTIALS.some((field) => given[field] !== undefined)) return [];
  return [
    `${pipeNamed(name)} was imported or adopted, and is created again without credentials, which the API does ` +
      `not return. If the source requires credentials, declare them in source.${kind}.`,
  ];
}

/** The kind of source that the program declares, and its fields. */
function declaredSource(
  source: PipeDraft["source"],
): readonly [(typeof SOURCE_KINDS)[number] | undefined, Readonly<Record<string, unknown>>] {
  const sources = known(source) ?? {};
  const kind = SOURCE_KINDS.find((one) => known(sources[one]) !== undefined);
  return [kind, kind === undefined ? {} : { ...known(sources[kind]) }];
}
