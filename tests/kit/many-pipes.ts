import type { Json, JsonObject } from "./json";
import { creationBody } from "./pipes";
import type { SeedPipe } from "./simulator";

const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${"MIIB8jCCAXmgAwIBAgIUZ\n".repeat(12)}-----END CERTIFICATE-----\n`;
const ENDPOINTS = ["3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a02"];
const AREAS = ["orders", "returns", "payments"];
const REGIONS = ["eu", "us", "ap", "br", "za"];
const credentials = { username: "loader", password: "a-password" };

/** The clusters of Kafka, with what its pipes declare besides. */
const MAIN = {
  brokers: "b-1.main.kafka.example:9092,b-2.main.kafka.example:9092",
  ...{ caCertificate: CERTIFICATE, reversePrivateEndpointIds: ENDPOINTS },
};
const AUDIT = {
  brokers: "kafka.audit.example:9092",
  ...{ schemaRegistry: { url: "https://registry.example" }, offset: { timestamp: "2026-01-31T00:00" } },
};

/** A source of the kind whose turn it is; of each kind, the pipes are of two sorts by turns. */
function sourceOf(index: number, area: string, region: string): JsonObject {
  const isFirst = index % 8 < 4;
  const name = `${area}-${region}`;
  const kafka = { topics: `${area}.${region}`, consumerGroup: `loader-${name}`, credentials };
  const objectStorage = {
    ...{ url: `https://lake.example/${name}/*.json.gz`, compression: "gzip", isContinuous: isFirst },
    ...(isFirst && { queueUrl: `https://queue.example/1/${name}` }),
    iamRole: "arn:aws:iam::123456789012:role/loader",
  };
  const accessKey = { accessKeyId: "key-id", secretKey: "a-secret-key" };
  const tableMappings = ["items", area].map((table) => ({
    ...{ sourceSchemaName: "public", sourceTable: table, targetTable: `${table}_${region}` },
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
