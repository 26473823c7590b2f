import fc from "fast-check";
import type { PropertyMap, PropertyValue } from "../../provider/src/core/property-value";
import { canary } from "../../testkit/canary";
import { allSettings, type SourceKind } from "../../testkit/pipes";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const flag = fc.boolean();
const whole = fc.integer({ min: -5, max: 100_000 });
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });

const ids = names.map((list) => list.map((name) => `0a1b2c3d-0000-4000-8000-00000000000${name}`));

type Members = Record<string, fc.Arbitrary<PropertyValue>>;

/** An object of which any member may be absent. */
const some = (members: Members): fc.Arbitrary<PropertyMap> => fc.record(members, { requiredKeys: [] });

/** All values of secret fields. */
export const CANARIES = [canary("one"), canary("two"), canary("three")];

const secret = fc.constantFrom(...CANARIES);
const login = fc.record({ username: secret, password: secret });
const accessKey = fc.record({ accessKeyId: secret, secretKey: secret });

export const anyMapping: fc.Arbitrary<PropertyMap> = fc
  .tuple(
    fc.record({ sourceSchemaName: fc.constantFrom("s", "t"), sourceTable: fc.constantFrom("a", "b", "c") }),
    some({ excludedColumns: names, useCustomSortingKey: flag, sortingKeys: names }),
  )
  // One target per source table, so that no two mappings have one target.
  .map(([source, more]) => ({
    ...source,
    targetTable: `${source.sourceSchemaName}_${source.sourceTable}`,
    ...more,
  }));

const STAYS: PropertyMap = { sourceSchemaName: "always", sourceTable: "there", targetTable: "there" };

const mappings = fc
  .uniqueArray(anyMapping, { selector: (one) => one["targetTable"], maxLength: 5 })
  .chain((list) => fc.shuffledSubarray([STAYS, ...list], { minLength: list.length + 1 }));

/** Per kind of source, the members that an update can change. */
const UPDATABLE: Record<SourceKind, Members> = {
  kafka: { iamRole: text, caCertificate: text, reversePrivateEndpointIds: ids, credentials: login },
  objectStorage: { iamRole: text, connectionString: secret, path: text, azureContainerName: text, accessKey },
  kinesis: { iamRole: text, accessKey },
  postgres: { host: text, port: whole, database: text, credentials: login },
};

const FIXED: Record<SourceKind, Members> = {
  kafka: {
    brokers: text,
    topics: text,
    consumerGroup: text,
    offset: fc.constantFrom({ timestamp: "2026-01-31T00:00" }, { timestamp: "2024-02-29T23:59" }),
    schemaRegistry: some({ url: text, caCertificate: text, credentials: login }),
  },
  objectStorage: { url: text, delimiter: text, compression: text, isContinuous: flag, queueUrl: text },
  kinesis: { streamName: text, region: text, useEnhancedFanOut: flag, timestamp: whole },
  postgres: {},
};

const columns = names.chain((list) =>
  fc.record({
    columns: fc.tuple(
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

/** A value of the type of each of these. */
const like = (examples: Readonly<Record<string, boolean | number>>): fc.Arbitrary<PropertyMap> =>
  some(
    Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, typeof value === "boolean" ? flag : whole]),
    ),
  );

const tableDefinition = some({
  engine: some({ versionColumnId: text, columnIds: names }),
  sortingKey: names,
  partitionBy: text,
  primaryKey: text,
});

/** The settings of a database that no update changes. */
const databaseSettings = some({
  publicationName: text,
  replicationSlotName: text,
  allowNullableColumns: flag,
  initialLoadParallelism: whole,
  snapshotNumRowsPerPartition: whole,
  snapshotNumberOfParallelTables: whole,
  enableFailoverSlots: flag,
});

const scaling = some({
  replicas: fc.nat(9),
  concurrency: fc.nat(9),
  replicaCpuMillicores: fc.nat(2000),
  replicaMemoryGb: fc.constantFrom(0.5, 1, 2.25),
});

const destination = some({
  database: text,
  table: fc.constantFrom("t", "u"),
  managedTable: flag,
  tableDefinition,
  roles: names,
});

/** What no update changes: the same before and after. */
export const fixedPart = (kind: SourceKind) =>
  fc.record({
    source: some(FIXED[kind]),
    settings: kind === "postgres" ? databaseSettings : fc.constant({}),
    destination,
    scaling,
  });

/** What an update can change. */
export const updatablePart = (kind: SourceKind) =>
  fc.record({
    name: text,
    source: some(UPDATABLE[kind]),
    mappings,
    postgresSettings: some({ syncIntervalSeconds: whole, pullBatchSize: whole }),
    validateSamples: flag,
    columns,
    settings: like(allSettings),
  });

/** The values that an arbitrary generates. */
export type Generated<T> = T extends fc.Arbitrary<infer V> ? V : never;

/** What no update of a pipe changes. */
export type FixedPart = Generated<ReturnType<typeof fixedPart>>;

/** What an update of a pipe can change. */
export type UpdatablePart = Generated<ReturnType<typeof updatablePart>>;

/** The arguments of a pipe out of what stays and what changes. */
export function assembled(kind: SourceKind, fixed: FixedPart, updatable: UpdatablePart): PropertyMap {
  const { columns: table, mappings: tableMappings, postgresSettings, validateSamples } = updatable;
  const postgres = { tableMappings, settings: { ...fixed.settings, ...postgresSettings } };
  const source = { ...fixed.source, ...updatable.source, ...(kind === "postgres" && postgres) };
  return {
    name: updatable.name,
    source: { [kind]: source, validateSamples },
    destination: { ...fixed.destination, columns: table.columns },
    fieldMappings: table.fieldMappings,
    scaling: fixed.scaling,
    ...(kind !== "postgres" && { settings: updatable.settings }),
  };
}

/** Any pipe of the kind. */
export const anyPipe = (kind: SourceKind): fc.Arbitrary<PropertyMap> =>
  fc.tuple(fixedPart(kind), updatablePart(kind)).map((parts) => assembled(kind, ...parts));

/** A pipe of the kind before and after a change that needs no other pipe. */
export const anyUpdate = (kind: SourceKind): fc.Arbitrary<[before: PropertyMap, after: PropertyMap]> =>
  fc
    .tuple(fixedPart(kind), updatablePart(kind), updatablePart(kind))
    .map(([fixed, before, after]) => [assembled(kind, fixed, before), assembled(kind, fixed, after)]);
