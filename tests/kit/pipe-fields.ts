import type { Field } from "../../provider/src/lifecycle/comparison/fields";
import { pipeFields } from "../../provider/src/resources/pipe/schema";
import { SOURCE_KINDS, type SourceKind } from "../../provider/src/resources/pipe/source-schema";
import { snakeCase, withValue, type Json, type JsonObject } from "./json";
import { providerOnly, replace, sentAlong, under, update, type PipeField } from "./pipe-field";
import { changedMapping, identity, postgresUser, sourceFields } from "./source-fields";

export { SOURCE_KINDS as KINDS, type SourceKind } from "../../provider/src/resources/pipe/source-schema";
export type { OnChange, PipeField } from "./pipe-field";
export { endpointIds, postgresUser } from "./source-fields";

const idColumn = { name: "id", type: "UInt64" };
const columns = [idColumn, { name: "note", type: "String" }];
const changedColumns = [idColumn, { name: "note", type: "LowCardinality(String)" }];

const destination: PipeField[] = [
  replace("database", "string", { value: "shop", changed: "other" }),
  replace("table", "string", { value: "events", changed: "other" }),
  replace("managedTable", "boolean", { value: true, changed: false }),
  replace("tableDefinition", "object"),
  replace("tableDefinition.engine", "object"),
  replace("tableDefinition.engine.versionColumnId", "string", { value: "id", changed: "note" }),
  replace("tableDefinition.engine.columnIds", "list of string", { value: ["id", "note"], changed: ["note"] }),
  replace("tableDefinition.sortingKey", "list of string", { value: ["id"], changed: ["note"] }),
  replace("tableDefinition.partitionBy", "string", { value: "note", changed: "id" }),
  replace("tableDefinition.primaryKey", "string", { value: "id", changed: "note" }),
  update("columns", "list of object", {
    isSet: true,
    identity: ["name"],
    value: columns,
    changed: changedColumns,
  }),
  update("columns[].name", "string", { isRequired: true }),
  update("columns[].type", "string", { isRequired: true }),
  replace("roles", "list of string", {
    isWriteOnly: true,
    isSet: true,
    value: ["loader", "reader"],
    changed: ["other"],
  }),
];

const mapped = (sourceField: string, destinationField: string) => ({ sourceField, destinationField });
const fieldMappings = [mapped("$.id", "id"), mapped("$.note", "note")];
const changedMappings = [mapped("$.id", "id"), mapped("$.key", "note")];

const scaling: PipeField[] = [
  replace("replicas", "integer", { value: 2, changed: 3 }),
  replace("concurrency", "integer", { value: 3, changed: 4 }),
  replace("replicaCpuMillicores", "integer", { value: 500, changed: 1000 }),
  replace("replicaMemoryGb", "number", { value: 1.5, changed: 2.5 }),
];

/** Every setting of a pipe, none with the value that the simulator would fill in. */
const allSettings = {
  streamingMaxInsertWaitMs: 4000,
  objectStorageConcurrency: 3,
  objectStoragePollingIntervalMs: 250,
  objectStorageMaxInsertBytes: 1_000_000_000,
  objectStorageMaxFileCount: 40,
  dbmsMaxThreads: 6,
  dbmsMaxInsertThreads: 2,
  dbmsMinInsertBlockSizeBytes: 500_000_000,
  dbmsMaxDownloadThreads: 5,
  dbmsParallelDistributedInsertSelect: 1,
  objectStorageUseClusterFunction: false,
  dbmsParallelViewProcessing: true,
};

const settings = Object.entries(allSettings).map(([name, value]) =>
  typeof value === "number"
    ? update(name, "integer", { value, changed: value + 1 })
    : update(name, "boolean", { value, changed: !value }),
);

const anotherId = "0a1b2c3d-0000-4000-8000-0000000000ff";

/** The contract of a pipe's fields, written by hand from the API document: the schema must agree with it. */
export const pipeFieldTable: readonly PipeField[] = [
  // Part of the path of every request; whatever an answer says of it, the declared value stays.
  replace("organizationId", "string", { isWriteOnly: true, changed: anotherId }),
  replace("serviceId", "string", { isWriteOnly: true, changed: anotherId }),
  update("name", "string", { changed: "renamed" }),
  replace("source", "object", { isRequired: true }),
  ...sourceFields,
  sentAlong("source.validateSamples", "boolean", { isWriteOnly: true, value: true, changed: false }),
  replace("destination", "object"),
  ...under("destination", destination),
  update("fieldMappings", "list of object", {
    isSet: true,
    identity: ["destinationField"],
    value: fieldMappings,
    changed: changedMappings,
  }),
  update("fieldMappings[].sourceField", "string", { isRequired: true }),
  update("fieldMappings[].destinationField", "string", { isRequired: true }),
  replace("scaling", "object"),
  ...under("scaling", scaling),
  update("settings", "object"),
  ...under("settings", settings),
  providerOnly("adopt", "string", { changed: anotherId }),
  providerOnly("deletionPolicy", '"retain" | "delete"', { changed: "delete" }),
  providerOnly("replacementPolicy", '"refuse" | "allow"', { changed: "allow" }),
  providerOnly("waitFor", "object", { changed: { states: ["Running"], timeoutSeconds: 5 } }),
  providerOnly("waitFor.states", "list of string", { isRequired: true }),
  providerOnly("waitFor.timeoutSeconds", "number"),
];

export const changesOf = (kind: SourceKind) =>
  pipeFieldTable.flatMap(({ path, onChange, isSecret = false, isWriteOnly = false, changed: to }) => {
    if (to === undefined || !concerns(kind, path)) return [];
    /** Of the PATCHes that the provider sends for it; none for a field that no PATCH changes. */
    const bodies = onChange === "update" ? bodiesOf(path, to) : [];
    const isReturned = onChange !== "providerOnly" && !isWriteOnly;
    return [{ kind, path, onChange, isSecret, isReturned, to, bodies }];
  });

/** Fields of every kind belong to Kafka's; those whose PATCH may depend on the kind belong to each. */
function concerns(kind: SourceKind, path: string): boolean {
  const [, second = ""] = path.split(".");
  if (path.startsWith("source.") && SOURCE_KINDS.some((each) => each === second)) return second === kind;
  return kind === "kafka" || ["name", "destination.columns", "fieldMappings"].includes(path);
}

function bodiesOf(path: string, to: Json): JsonObject[] {
  const alone = withValue({}, path, to);
  const name = path.split(".").at(-1) ?? "";
  if (path.startsWith("settings.")) return [{ settings: { [snakeCase(name)]: to } }];
  // The mappings of the columns are sent with the columns.
  if (path === "fieldMappings") return [{ ...alone, destination: { columns } }];
  // Services test a changed connection, which takes the credentials.
  if (/^source\.postgres\.(host|port|database)$/.test(path))
    return [withValue(alone, "source.postgres.credentials", postgresUser)];
  if (path === "source.postgres.tableMappings")
    return [
      { source: { postgres: { tableMappingsToRemove: [identity] } } },
      { source: { postgres: { tableMappingsToAdd: [changedMapping] } } },
    ];
  return [alone];
}

export function fieldAt(path: string, fields: readonly Field[] = pipeFields): Field {
  for (const field of fields) {
    const own = field.path.join(".");
    if (own === path) return field;
    if (path.startsWith(`${own}.`)) return fieldAt(path, field.members ?? []);
  }
  throw new Error(`There is no field ${path}`);
}
