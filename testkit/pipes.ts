import type { SeedPipe } from "../simulator/src/index";

/** What a program passes to a pipe, as plain JSON. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export type SourceKind = "kafka" | "objectStorage" | "kinesis" | "postgres";

/** Every setting of a pipe, none with the value that the simulator would fill in. */
export const allSettings = {
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
} satisfies JsonObject;

const allScaling = { replicas: 2, concurrency: 3, replicaCpuMillicores: 500, replicaMemoryGb: 1.5 };

const columns = [
  { name: "id", type: "UInt64" },
  { name: "note", type: "String" },
];

const destination = {
  database: "shop",
  table: "events",
  managedTable: true,
  tableDefinition: {
    engine: { versionColumnId: "id", columnIds: ["id", "note"] },
    sortingKey: ["id"],
    partitionBy: "note",
    primaryKey: "id",
  },
  columns,
  roles: ["loader", "reader"],
};

const fieldMappings = [
  { sourceField: "$.id", destinationField: "id" },
  { sourceField: "$.note", destinationField: "note" },
];

const everythingBut = { destination, fieldMappings, scaling: allScaling, settings: allSettings };

export const endpointIds = ["3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a02"];

/** Per kind of source a pipe that sets every field that the API's document has for it. */
export const complete: Record<SourceKind, JsonObject> = {
  kafka: {
    source: {
      kafka: {
        brokers: "b-1.example:9092",
        topics: "orders,returns",
        consumerGroup: "loader",
        iamRole: "role-of-kafka",
        offset: { timestamp: "2026-01-31T00:00" },
        schemaRegistry: {
          url: "https://registry.example",
          caCertificate: "registry-certificate",
          credentials: { username: "registry-user", password: "registry-password" },
        },
        caCertificate: "kafka-certificate",
        reversePrivateEndpointIds: endpointIds,
        credentials: { username: "kafka-user", password: "kafka-password" },
      },
      validateSamples: true,
    },
    ...everythingBut,
  },
  objectStorage: {
    source: {
      objectStorage: {
        url: "https://bucket.example/*.csv",
        delimiter: ";",
        compression: "gzip",
        isContinuous: true,
        queueUrl: "https://queue.example/files",
        iamRole: "role-of-storage",
        connectionString: "AccountName=demo;AccountKey=storage-account-key",
        path: "2026/**.csv",
        azureContainerName: "container",
        accessKey: { accessKeyId: "storage-key-id", secretKey: "storage-secret-key" },
      },
      validateSamples: false,
    },
    ...everythingBut,
  },
  kinesis: {
    source: {
      kinesis: {
        streamName: "clicks",
        region: "eu-central-1",
        useEnhancedFanOut: true,
        timestamp: 1_760_000_000,
        iamRole: "role-of-kinesis",
        accessKey: { accessKeyId: "kinesis-key-id", secretKey: "kinesis-secret-key" },
      },
      validateSamples: true,
    },
    ...everythingBut,
  },
  postgres: {
    source: {
      postgres: {
        host: "db.example",
        port: 5433,
        database: "shop",
        settings: {
          syncIntervalSeconds: 30,
          pullBatchSize: 5000,
          publicationName: "publication",
          replicationSlotName: "slot",
          allowNullableColumns: true,
          initialLoadParallelism: 2,
          snapshotNumRowsPerPartition: 1000,
          snapshotNumberOfParallelTables: 3,
          enableFailoverSlots: true,
        },
        tableMappings: [
          {
            sourceSchemaName: "public",
            sourceTable: "orders",
            targetTable: "orders",
            excludedColumns: ["internal"],
            useCustomSortingKey: true,
            sortingKeys: ["id"],
          },
          { sourceSchemaName: "public", sourceTable: "returns", targetTable: "returns" },
        ],
        credentials: { username: "postgres-user", password: "postgres-password" },
      },
      validateSamples: true,
    },
    destination,
    fieldMappings,
    scaling: allScaling,
  },
};

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
    source: {
      postgres: {
        host: "db.example",
        database: "shop",
        tableMappings: [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }],
      },
    },
    destination: { database: "few" },
  },
};

/** By logical name, a complete pipe of each kind (`kafka`, …) and a minimal one (`minimal-kafka`, …). */
export const completeAndMinimal: Record<string, JsonObject> = {
  ...complete,
  ...Object.fromEntries(Object.entries(minimal).map(([kind, args]) => [`minimal-${kind}`, args])),
};

/** A program of pipes by their logical names; `options` is the text of the third argument of each. */
export function pipesProgram(pipes: Record<string, JsonObject>, options = "undefined"): string {
  return Object.entries(pipes)
    .map(
      ([name, args]) => `new datapipes.Pipe(${JSON.stringify(name)}, ${JSON.stringify(args)}, ${options});\n`,
    )
    .join("");
}

/** A copy with the value at a dotted path replaced, or removed by `undefined`; elements are counted from 0. */
export const withValue = (args: JsonObject, path: string, value: Json | undefined): JsonObject =>
  replacedAt(args, path.split("."), value) as JsonObject;

/** As `withValue`, for values of any kind. */
export function replacedAt(old: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(old)) {
    const elements: unknown[] = [...(old as readonly unknown[])];
    elements[Number(name)] = replacedAt(elements[Number(name)], rest, value);
    return elements;
  }
  const members = typeof old === "object" && old !== null ? (old as Record<string, unknown>) : {};
  const { [name]: member, ...others } = members;
  const replaced = replacedAt(member, rest, value);
  return replaced === undefined ? others : { ...members, [name]: replaced };
}

/** The API's name of a setting. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
