import type { Json, JsonObject } from "./json";
import { isObject, valueAt } from "./json";
import type { ServiceBehaviour, TimeFormat } from "./profile";

/** The operations that return pipes. */
export type PipeOperation = "listPipes" | "createPipe" | "updatePipe";

/** Undefined leaves the field out. */
type Edit = (value: Json) => Json | undefined;

/** Changes a field that exists, in place. Pipes that control has edited may have any shape. */
function edit(root: JsonObject, path: string, change: Edit): void {
  const dot = path.lastIndexOf(".");
  const owner = dot < 0 ? root : valueAt(root, path.slice(0, dot));
  const field = path.slice(dot + 1);
  if (!isObject(owner) || owner[field] === undefined) return;
  const next = change(owner[field]);
  if (next === undefined) Reflect.deleteProperty(owner, field);
  else owner[field] = next;
}

/** How `omit` lists fields that updatePipe cannot change, by their paths. */
export const OMITTED_FIELDS: Readonly<Record<string, "left out" | "null" | "empty list">> = {
  "scaling.concurrency": "left out",
  "source.kafka.consumerGroup": "left out",
  "source.kafka.offset": "null",
  "source.kafka.schemaRegistry": "empty list",
  "source.objectStorage.delimiter": "left out",
  "source.objectStorage.compression": "null",
  "source.objectStorage.isContinuous": "left out",
  "source.objectStorage.queueUrl": "empty list",
  "source.kinesis.useEnhancedFanOut": "left out",
  "source.kinesis.timestamp": "null",
  "source.postgres.settings.publicationName": "left out",
  "source.postgres.settings.replicationSlotName": "null",
  "source.postgres.settings.allowNullableColumns": "left out",
  "source.postgres.settings.initialLoadParallelism": "null",
  "source.postgres.settings.snapshotNumRowsPerPartition": "left out",
  "source.postgres.settings.snapshotNumberOfParallelTables": "null",
  "source.postgres.settings.enableFailoverSlots": "empty list",
  "destination.managedTable": "null",
  "destination.tableDefinition.engine": "null",
  "destination.tableDefinition.sortingKey": "empty list",
  "destination.tableDefinition.partitionBy": "left out",
  "destination.tableDefinition.primaryKey": "null",
};

/** `omit` omits all of the table definition of these kinds; of the others, its members. */
export const OMITTED_TABLE_DEFINITIONS = { kafka: "left out", kinesis: "empty list" } as const;

const OMISSIONS = { "left out": undefined, null: null, "empty list": [] } as const;

function omit(pipe: JsonObject): void {
  for (const [kind, how] of Object.entries(OMITTED_TABLE_DEFINITIONS))
    if (valueAt(pipe, `source.${kind}`) !== undefined)
      edit(pipe, "destination.tableDefinition", () => structuredClone(OMISSIONS[how]) as Json | undefined);
  for (const [path, how] of Object.entries(OMITTED_FIELDS))
    edit(pipe, path, () => structuredClone(OMISSIONS[how]) as Json | undefined);
}

const asQuantity =
  (unit: string): Edit =>
  (value) =>
    typeof value === "number" ? `${value}${unit}` : value;

function quantity(pipe: JsonObject): void {
  edit(pipe, "scaling.replicaCpuMillicores", asQuantity("m"));
  edit(pipe, "scaling.replicaMemoryGb", asQuantity("Gi"));
}

function zero(pipe: JsonObject): void {
  edit(pipe, "scaling", (scaling) =>
    isObject(scaling) ? Object.fromEntries(Object.keys(scaling).map((field) => [field, 0])) : scaling,
  );
}

const SECRET_MEMBER = /key|signature|password|pwd|secret|token/i;
const MASK = "***";

/** `AccountName=demo;AccountKey=x` becomes `AccountName=demo;AccountKey=***`. */
function maskConnectionString(text: string): string {
  if (!text.includes("=")) return MASK;
  const members = text.split(";").map((member) => {
    const name = member.slice(0, Math.max(0, member.indexOf("=")));
    return SECRET_MEMBER.test(name) ? `${name}=${MASK}` : member;
  });
  return members.join(";");
}

const normalizePath = (path: string): string => path.replace(/\/+/g, "/").replace(/^\/|\/$/g, "");

const ofText =
  (change: (text: string) => string): Edit =>
  (value) =>
    typeof value === "string" ? change(value) : value;

function mask(pipe: JsonObject): void {
  edit(pipe, "source.objectStorage.connectionString", ofText(maskConnectionString));
  edit(pipe, "source.objectStorage.path", ofText(normalizePath));
}

const lower: Edit = (value) => {
  if (typeof value === "string") return value.toLowerCase();
  return Array.isArray(value) ? value.map((entry) => lower(entry) ?? null) : value;
};

const lowerIn =
  (field: string): Edit =>
  (list) => {
    if (Array.isArray(list)) for (const entry of list) if (isObject(entry)) edit(entry, field, lower);
    return list;
  };

/** Writes the names of database, table and columns of the destination in lower case, in place. */
export function lowerNames(pipe: JsonObject): void {
  edit(pipe, "destination.database", lower);
  edit(pipe, "destination.table", lower);
  edit(pipe, "destination.columns", lowerIn("name"));
  edit(pipe, "destination.tableDefinition.sortingKey", lower);
  edit(pipe, "destination.tableDefinition.engine.versionColumnId", lower);
  edit(pipe, "destination.tableDefinition.engine.columnIds", lower);
  edit(pipe, "fieldMappings", lowerIn("destinationField"));
}

/** From the stored form, ISO 8601 with milliseconds. */
const TIMES: Readonly<Record<TimeFormat, (iso: string) => string | undefined>> = {
  iso: (iso) => iso,
  seconds: (iso) => iso.replace(/\.\d+Z$/, "Z"),
  "without-zone": (iso) => iso.replace(/\.\d+Z$/, ""),
  "unix-seconds": (iso) => String(Math.floor(Date.parse(iso) / 1000)),
  absent: () => undefined,
};

/** The fields of an answer to a write under the profile `sparse`. */
export const SPARSE_FIELDS: readonly string[] = ["id", "name", "state"];

/** The fields that a time format concerns. */
export const TIME_FIELDS: readonly string[] = ["createdAt", "updatedAt"];

/** A copy of a pipe in the format in which an operation answers it. */
export function formatPipe(
  pipe: object,
  operation: PipeOperation,
  behaviour: ServiceBehaviour,
  isZero = false,
): object {
  if (behaviour.isPlain) return pipe;
  const copy = structuredClone(pipe) as JsonObject;
  const isList = operation === "listPipes";
  if (isZero && behaviour.has("zero-later")) zero(copy);
  if (behaviour.has("quantity")) quantity(copy);
  if (isList && behaviour.has("omit")) omit(copy);
  if (behaviour.has("masked")) mask(copy);
  // The answer to createPipe repeats the names as they were sent; the next list is the first that differs.
  if (operation !== "createPipe" && behaviour.has("lower-case")) lowerNames(copy);
  for (const field of TIME_FIELDS)
    edit(copy, field, (time) => (typeof time === "string" ? TIMES[behaviour.timeFormat](time) : time));
  if (isList || !behaviour.has("sparse")) return copy;
  return Object.fromEntries(Object.entries(copy).filter(([field]) => SPARSE_FIELDS.includes(field)));
}
