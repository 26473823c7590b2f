import type { SeedPipe } from "../../simulator/src/index";
import { mapValues, snakeCase, withValue, withValues, type Json, type JsonObject } from "./json";
import { endpointIds, KINDS, pipeFieldTable, type SourceKind } from "./pipe-fields";
import { declaration } from "./program";

/** Whether a pipe of this kind of source may have the field. The API has no settings of a Postgres pipe. */
export const concerns = (kind: SourceKind, path: string): boolean =>
  path.startsWith("source.")
    ? path.startsWith(`source.${kind}.`) || path === "source.validateSamples"
    : kind !== "postgres" || !path.startsWith("settings");

function completeOf(kind: SourceKind): JsonObject {
  const fields = pipeFieldTable.filter(({ path, value }) => value !== undefined && concerns(kind, path));
  const values = Object.fromEntries(fields.map(({ path, value }) => [path, value]));
  return withValues({}, { ...values, "source.validateSamples": kind !== "objectStorage" });
}

/** Per kind of source a pipe that sets every field that the API's document has for it. */
export const complete = Object.fromEntries(KINDS.map((kind) => [kind, completeOf(kind)])) as Record<
  SourceKind,
  JsonObject
>;

/** The mapping of a source table of the schema "public". */
export const tableMapping = (sourceTable: string, targetTable = sourceTable) => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable,
});

/** For each kind of source, a pipe that declares only what most servers require. */
export const minimal: Record<SourceKind, JsonObject> = {
  kafka: {
    source: { kafka: { brokers: "b-1.example:9092", topics: "orders" } },
    destination: { table: "few" },
  },
  objectStorage: {
    source: { objectStorage: { url: "https://bucket.example/*.json" } },
    destination: { table: "few" },
  },
  kinesis: {
    source: { kinesis: { streamName: "clicks", region: "eu-central-1" } },
    destination: { table: "few" },
  },
  postgres: {
    source: { postgres: { host: "db.example", database: "shop", tableMappings: [tableMapping("orders")] } },
    destination: { database: "few" },
  },
};

/** The arguments of a pipe that loads into this table. */
export const intoTable = (table: string, args: JsonObject = minimal.kafka): JsonObject =>
  withValue(args, "destination.table", table);

/** The text that declares a pipe with a table of its own; `more` are values by their dotted paths. */
export const pipeInOwnTable = (name: string, more: JsonObject = {}, options?: string): string =>
  `${declaration("Pipe", name, withValues(intoTable(name), more), options)};\n`;

/** Pipes by their logical names, each with a database of its own: none loads the same as another. */
export const withOwnDatabases = (pipes: Record<string, JsonObject>): Record<string, JsonObject> =>
  mapValues(pipes, (args, name) => withValue(args, "destination.database", name));

/** A program of pipes by their logical names; `options` is the text of the third argument of each. */
export function pipesProgram(pipes: Record<string, JsonObject>, options = "undefined"): string {
  return Object.entries(pipes)
    .map(([name, args]) => `${declaration("Pipe", name, args, options)};\n`)
    .join("");
}

/** The body of createPipe for what a program declares, which a simulator also seeds. */
export function creationBody(name: string, { settings, ...rest }: JsonObject): JsonObject & SeedPipe {
  const renamed = Object.entries((settings ?? {}) as JsonObject).map(
    ([key, value]) => [snakeCase(key), value] as const,
  );
  const body = { name, ...rest, ...(settings !== undefined && { settings: Object.fromEntries(renamed) }) };
  // What a program declares is any JSON; a simulator checks what it seeds.
  return body as JsonObject & SeedPipe;
}

const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${"MIIB8jCCAXmgAwIBAgIUZ\n".repeat(12)}-----END CERTIFICATE-----\n`;
const AREAS = ["orders", "returns", "payments"];
const REGIONS = ["eu", "us", "ap", "br", "za"];
const credentials = { username: "loader", password: "a-password" };

/** The clusters of Kafka, with what its pipes declare besides. */
const MAIN = {
  brokers: "b-1.main.kafka.example:9092,b-2.main.kafka.example:9092",
  caCertificate: CERTIFICATE,
  reversePrivateEndpointIds: endpointIds,
};
const AUDIT = {
  brokers: "kafka.audit.example:9092",
  schemaRegistry: { url: "https://registry.example" },
  offset: { timestamp: "2026-01-31T00:00" },
};

/** A source of the kind whose turn it is; of each kind, the pipes are of two sorts by turns. */
function sourceOf(index: number, area: string, region: string): JsonObject {
  const isFirst = index % 8 < 4;
  const name = `${area}-${region}`;
  const kafka = { topics: `${area}.${region}`, consumerGroup: `loader-${name}`, credentials };
  const objectStorage = {
    url: `https://lake.example/${name}/*.json.gz`,
    compression: "gzip",
    isContinuous: isFirst,
    ...(isFirst && { queueUrl: `https://queue.example/1/${name}` }),
    iamRole: "arn:aws:iam::123456789012:role/loader",
  };
  const accessKey = { accessKeyId: "key-id", secretKey: "a-secret-key" };
  const tableMappings = ["items", area].map((table) => ({
    sourceSchemaName: "public",
    sourceTable: table,
    targetTable: `${table}_${region}`,
    ...(table === "items" && { excludedColumns: ["internal_note"] }),
  }));
  const settings = { syncIntervalSeconds: isFirst ? 60 : 30 };
  const postgres = { host: `db-${region}.example`, port: 5432, database: "shop", credentials };
  const sources: readonly JsonObject[] = [
    { kafka: { ...kafka, ...(isFirst ? MAIN : AUDIT) } },
    { objectStorage },
    { kinesis: { streamName: name, region: "eu-central-1", accessKey } },
    { postgres: { ...postgres, settings, tableMappings } },
  ];
  return sources[index % 4] ?? {};
}

/** What a pipe declares that loads one table, which those of Postgres do not. */
function tableOf(index: number, area: string, region: string) {
  const names = ["id", "amount", ...(area === "orders" ? ["customer_id"] : [])];
  const columns = names.map((name): Json => ({ name, type: name === "id" ? "UInt64" : "String" }));
  const tableDefinition = { engine: { columnIds: [] }, sortingKey: ["id"] };
  return {
    destination: { table: `${area}_${region}`, managedTable: true, columns, tableDefinition },
    fieldMappings: names.map((name): Json => ({ sourceField: `$.${name}`, destinationField: name })),
    settings: {
      ...(index % 4 === 0 && { streamingMaxInsertWaitMs: index % 8 === 0 ? 2000 : 5000 }),
      ...(index % 4 === 1 && { objectStoragePollingIntervalMs: index % 8 === 1 ? 1000 : 60_000 }),
      ...(index % 7 === 0 && { dbmsMaxThreads: 4 }),
    },
  };
}

/** Pipes as a company has them: four kinds by turns, few clusters and schemas, some with settings and sizes of their own. */
export const manyPipes = (size: number): readonly SeedPipe[] =>
  Array.from({ length: size }, (_, index) => {
    const area = AREAS[index % AREAS.length] ?? "";
    const region = REGIONS[Math.floor(index / 4) % REGIONS.length] ?? "";
    const { destination, ...others } = index % 4 === 3 ? {} : tableOf(index, area, region);
    return creationBody(`${area}-${region}-${index}`, {
      source: sourceOf(index, area, region),
      destination: { database: "shop", ...destination },
      ...others,
      scaling: index % 10 === 0 ? { replicas: 4, concurrency: 2 } : {},
    });
  });
