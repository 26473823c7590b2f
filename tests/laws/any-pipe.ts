import fc from "fast-check";
import { canary } from "../kit/canary";
import { pipeFieldTable, type PipeField, type OnChange, type SourceKind } from "../kit/pipe-fields";
import { concerns } from "../kit/pipes";
import { mapValues, withValues, type Json, type JsonObject } from "../kit/json";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const flag = fc.boolean();
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });

/** All values of secret fields. */
export const CANARIES = [canary("one"), canary("two"), canary("three")];

const secret = fc.constantFrom(...CANARIES);

const mapping: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record({ sourceSchemaName: fc.constantFrom("s", "t"), sourceTable: fc.constantFrom("a", "b", "c") }),
    fc.record(
      { excludedColumns: names, useCustomSortingKey: flag, sortingKeys: names },
      { requiredKeys: [] },
    ),
  )
  // One target per source table, so that no two mappings have one target.
  .map(([source, more]) => ({
    ...source,
    targetTable: `${source.sourceSchemaName}_${source.sourceTable}`,
    ...more,
  }));

const STAYS: JsonObject = { sourceSchemaName: "always", sourceTable: "there", targetTable: "there" };

const mappings = fc
  .uniqueArray(mapping, { selector: (one) => one["targetTable"], maxLength: 5 })
  .chain((list) => fc.shuffledSubarray([STAYS, ...list], { minLength: list.length + 1 }));

/** Columns and their mappings, which belong together. */
const columns = names.chain((list) =>
  fc.record({
    "destination.columns": fc.tuple(
      ...list.map((name) => fc.constantFrom("String", "UInt64").map((type) => ({ name, type }))),
    ),
    fieldMappings: fc
      .tuple(
        ...list.map((name) =>
          fc.constantFrom(`$.${name}`, "$.x").map((sourceField) => ({ sourceField, destinationField: name })),
        ),
      )
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
  }),
);

/** Any values of a type; those of an object are members of their own. */
const OF_TYPE: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: text,
  boolean: flag,
  integer: fc.integer({ min: -5, max: 100_000 }),
  "list of string": names,
  object: fc.constant({}),
};

/** Any values of the fields whose type allows too many. */
const OF_FIELD: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  "source.kafka.offset": fc.constant({ timestamp: "2026-01-31T00:00" }),
  "source.kafka.offset.timestamp": fc.constant("2024-02-29T23:59"),
  "source.kafka.reversePrivateEndpointIds": names.map((list) =>
    list.map((name) => `0a1b2c3d-0000-4000-8000-00000000000${name}`),
  ),
  "destination.table": fc.constantFrom("t", "u"),
  "scaling.replicas": fc.nat(9),
  "scaling.concurrency": fc.nat(9),
  "scaling.replicaCpuMillicores": fc.nat(2000),
  "scaling.replicaMemoryGb": fc.constantFrom(0.5, 1, 2.25),
};

function valuesOf({ path, type, isSecret, value }: PipeField): fc.Arbitrary<Json> {
  if (isSecret && type === "object") return fc.record(mapValues(value as JsonObject, () => secret));
  const values = isSecret ? secret : (OF_FIELD[path] ?? OF_TYPE[type]);
  if (values === undefined) throw new Error(`The laws have no values of ${path}, which is a ${type}.`);
  return values;
}

/** Values of a part of a pipe, by their paths. */
export type Part = Readonly<Record<string, Json | undefined>>;

/** Any values, of any of the fields that change in one of these ways; a list of objects is not among them. */
function anyPart(kind: SourceKind, ...changes: readonly OnChange[]): fc.Arbitrary<Part> {
  const isOptionalObject = ({ type, value, isRequired, isVariant }: PipeField): boolean =>
    type === "object" && value === undefined && !isRequired && !isVariant;
  const isPlain = ({ type, value }: PipeField): boolean => value !== undefined && type !== "list of object";
  const fields = pipeFieldTable
    .filter(({ path, onChange }) => concerns(kind, path) && changes.includes(onChange))
    .filter((field) => isOptionalObject(field) || isPlain(field));
  const values = Object.fromEntries(fields.map((field) => [field.path, valuesOf(field)]));
  return fc.record(values, { requiredKeys: [] });
}

/** What no update changes: the same before and after. */
export const fixedPart = (kind: SourceKind): fc.Arbitrary<Part> => anyPart(kind, "replace");
export const updatablePart = (kind: SourceKind): fc.Arbitrary<Part> =>
  fc
    .tuple(anyPart(kind, "update", "sentAlong"), text, columns, mappings)
    .map(([part, name, table, tableMappings]) => ({
      ...part,
      name,
      ...table,
      ...(kind === "postgres" && { "source.postgres.tableMappings": tableMappings }),
    }));

export type Generated<T> = T extends fc.Arbitrary<infer V> ? V : never;

export const assembled = (kind: SourceKind, fixed: Part, updatable: Part): JsonObject =>
  withValues({ source: { [kind]: {} } }, { ...fixed, ...updatable });

/** A pipe of the kind before and after a change that needs no other pipe. */
export const anyUpdate = (kind: SourceKind): fc.Arbitrary<[before: JsonObject, after: JsonObject]> =>
  fc
    .tuple(fixedPart(kind), updatablePart(kind), updatablePart(kind))
    .map(([fixed, before, after]) => [assembled(kind, fixed, before), assembled(kind, fixed, after)]);

export const anyPipe = (kind: SourceKind): fc.Arbitrary<JsonObject> =>
  fc.tuple(fixedPart(kind), updatablePart(kind)).map((parts) => assembled(kind, ...parts));
