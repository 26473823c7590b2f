import { contract } from "./contract";
import type { CreatePipe, Pipe, SourceKind, TableMapping, TableMappingIdentity, UpdatePipe } from "./models";

const { oneOf = [] } = contract.operation("createPipe").body?.properties?.["source"] ?? {};
const SOURCE_KINDS = oneOf.flatMap(({ required = [] }) => required) as SourceKind[];

/** Errors of rules that a schema cannot state. Each begins with a field's dotted path. */
type Errors = string[];

/** The kind of a source; the schema allows one. */
export function kindOf(source: Partial<Record<SourceKind, unknown>>): SourceKind | undefined {
  return SOURCE_KINDS.find((kind) => source[kind] !== undefined);
}

function uncoveredColumns({ destination, fieldMappings = [] }: CreatePipe): Errors {
  const covered = new Set(fieldMappings.map((mapping) => mapping.destinationField));
  const missing = (destination.columns ?? []).map(({ name }) => name).filter((name) => !covered.has(name));
  if (missing.length === 0) return [];
  return [`fieldMappings must cover all of destination.columns; missing: ${missing.join(", ")}`];
}

function unknownEndpoints(ids: readonly string[] | undefined, exists: (id: string) => boolean): Errors {
  return (ids ?? []).flatMap((id, index) =>
    exists(id)
      ? []
      : [
          `source.kafka.reversePrivateEndpointIds[${index}] is not a reverse private endpoint of this service`,
        ],
  );
}

/** Whether a reverse private endpoint exists; undefined when references are not checked. */
export type EndpointLookup = ((id: string) => boolean) | undefined;

export function createRules(body: CreatePipe, endpointExists: EndpointLookup): Errors {
  const ids = body.source.kafka?.reversePrivateEndpointIds;
  return [...uncoveredColumns(body), ...(endpointExists ? unknownEndpoints(ids, endpointExists) : [])];
}

/** One text per mapping; a JSON array keeps `a.b` + `c` and `a` + `b.c` apart. */
const identity = ({ sourceSchemaName, sourceTable, targetTable }: TableMappingIdentity): string =>
  JSON.stringify([sourceSchemaName, sourceTable, targetTable]);

const sourceTableOf = ({ sourceSchemaName, sourceTable }: TableMappingIdentity): string =>
  JSON.stringify([sourceSchemaName, sourceTable]);

/** The mappings after an update; removal comes first. */
export function mappingsAfter(
  current: readonly TableMapping[],
  add: readonly TableMapping[] = [],
  remove: readonly TableMappingIdentity[] = [],
): TableMapping[] {
  const removed = new Set(remove.map(identity));
  return [...current.filter((mapping) => !removed.has(identity(mapping))), ...add];
}

function mappingRules(pipe: Pipe, update: NonNullable<UpdatePipe["source"]>["postgres"]): Errors {
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [] } = update ?? {};
  if (add.length + remove.length === 0) return [];
  const current = pipe.source.postgres?.tableMappings ?? [];
  const known = new Set(current.map(identity));
  const removedTables = new Set(remove.map(sourceTableOf));
  const to = (list: string, index: number): string => `source.postgres.tableMappings${list}[${index}]`;
  const errors: Errors = [];
  add.forEach((mapping, index) => {
    if (removedTables.has(sourceTableOf(mapping)))
      errors.push(`${to("ToAdd", index)} has a source table that tableMappingsToRemove has too`);
    else if (known.has(identity(mapping))) errors.push(`${to("ToAdd", index)} exists already`);
    known.add(identity(mapping));
  });
  const existing = new Set(current.map(identity));
  remove.forEach((mapping, index) => {
    if (!existing.has(identity(mapping))) errors.push(`${to("ToRemove", index)} does not exist`);
  });
  if (mappingsAfter(current, add, remove).length === 0)
    errors.push("source.postgres.tableMappingsToRemove must leave at least one mapping");
  return errors;
}

function kindRules(pipe: Pipe, source: NonNullable<UpdatePipe["source"]>): Errors {
  const own = kindOf(pipe.source);
  return SOURCE_KINDS.filter((kind) => source[kind] !== undefined && kind !== own).map(
    (kind) => `source.${kind} is not the kind of this pipe, which is ${own ?? "none"}`,
  );
}

export function updateRules(pipe: Pipe, body: UpdatePipe, endpointExists: EndpointLookup): Errors {
  const errors: Errors = [];
  if (body.fieldMappings && !body.destination?.columns)
    errors.push("fieldMappings need destination.columns in the same body");
  if (!body.source) return errors;
  errors.push(...kindRules(pipe, body.source), ...mappingRules(pipe, body.source.postgres));
  if (endpointExists)
    errors.push(...unknownEndpoints(body.source.kafka?.reversePrivateEndpointIds, endpointExists));
  return errors;
}
