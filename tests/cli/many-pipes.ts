import { creationBody, type Json, type JsonObject } from "../../testkit/pipes";
import type { SeedPipe } from "../../testkit/simulator";

const CLUSTERS = ["b-1.main.kafka.example:9092,b-2.main.kafka.example:9092", "kafka.audit.example:9092"];
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${"MIIB8jCCAXmgAwIBAgIUZ\n".repeat(12)}-----END CERTIFICATE-----\n`;
const ENDPOINTS = ["3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a02"];
const AREAS = ["orders", "returns", "payments"];
const REGIONS = ["eu", "us", "ap", "br", "za"];
const login = { username: "loader", password: "a-password" };

const columnsOf = (area: string): Json[] =>
  ["id", "amount", "currency", "created_at", ...(area === "orders" ? ["customer_id"] : [])].map((name) => ({
    name,
    type: name === "id" ? "UInt64" : "String",
  }));
const mappingsOf = (area: string): Json[] =>
  columnsOf(area).map((column) => {
    const { name } = column as { name: string };
    return { sourceField: `$.${name}`, destinationField: name };
  });

function sourceOf(index: number, area: string, region: string): JsonObject {
  const cluster = index % 8 === 4 ? 1 : 0;
  switch (index % 4) {
    case 0:
      return {
        kafka: {
          brokers: CLUSTERS[cluster] ?? "",
          topics: `${area}.${region}`,
          consumerGroup: `loader-${area}-${region}`,
          credentials: login,
          ...(cluster === 0
            ? { caCertificate: CERTIFICATE, reversePrivateEndpointIds: ENDPOINTS }
            : {
                schemaRegistry: { url: "https://registry.example" },
                offset: { timestamp: "2026-01-31T00:00" },
              }),
        },
      };
    case 1:
      return {
        objectStorage: {
          url: `https://lake.example/${area}/${region}/*.json.gz`,
          compression: "gzip",
          isContinuous: index % 8 === 1,
          ...(index % 8 === 1 && { queueUrl: `https://queue.example/1/${area}-${region}` }),
          iamRole: "arn:aws:iam::123456789012:role/loader",
        },
      };
    case 2:
      return {
        kinesis: {
          streamName: `${area}-${region}`,
          region: "eu-central-1",
          accessKey: { accessKeyId: "key-id", secretKey: "a-secret-key" },
        },
      };
    default:
      return {
        postgres: {
          host: `db-${region}.example`,
          port: 5432,
          database: "shop",
          credentials: login,
          settings: { replicationSlotName: `slot_${index}`, syncIntervalSeconds: index % 8 === 3 ? 60 : 30 },
          tableMappings: ["customers", "items", area].map((table) => ({
            sourceSchemaName: "public",
            sourceTable: table,
            targetTable: `${table}_${region}`,
            ...(table === "items" && { excludedColumns: ["internal_note"] }),
          })),
        },
      };
  }
}

/** Pipes as a company has them: four kinds by turns, few clusters and schemas, some with settings and sizes of their own. */
export const manyPipes = (size: number): readonly SeedPipe[] =>
  Array.from({ length: size }, (_, index) => {
    const area = AREAS[index % AREAS.length] ?? "";
    const region = REGIONS[Math.floor(index / 4) % REGIONS.length] ?? "";
    const isPostgres = index % 4 === 3;
    return creationBody(`${area}-${region}-${index}`, {
      source: sourceOf(index, area, region),
      destination: {
        database: "shop",
        ...(!isPostgres && {
          table: `${area}_${region}`,
          managedTable: true,
          columns: columnsOf(area),
          tableDefinition: { engine: { columnIds: [] }, sortingKey: ["id"] },
        }),
      },
      ...(!isPostgres && { fieldMappings: mappingsOf(area) }),
      scaling: index % 10 === 0 ? { replicas: 4, concurrency: 2 } : {},
      ...(!isPostgres && {
        settings: {
          ...(index % 4 === 0 && { streamingMaxInsertWaitMs: index % 8 === 0 ? 2000 : 5000 }),
          ...(index % 4 === 1 && { objectStoragePollingIntervalMs: index % 8 === 1 ? 1000 : 60_000 }),
          ...(index % 7 === 0 && { dbmsMaxThreads: 4 }),
        },
      }),
    });
  });
