/**
 * The program of the golden states: every kind of resource and source, every way to give a secret, and both policies.
 * `npm run golden` copies it into the folder of the version that ran it. With `golden:changed` each resource changes.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("golden");
const isChanged = config.getBoolean("changed") ?? false;
const was = <T>(before: T, after: T): T => (isChanged ? after : before);

const columns = [
  { name: "id", type: "UInt64" },
  { name: "note", type: "String" },
];
const fieldMappings = [
  { sourceField: "$.id", destinationField: "id" },
  { sourceField: "$.note", destinationField: "note" },
];
const destination = {
  database: "shop",
  table: "events",
  managedTable: true,
  tableDefinition: { sortingKey: ["id"], partitionBy: "note", primaryKey: "id" },
  columns,
  roles: ["loader"],
};

const endpoint = new datapipes.ReversePrivateEndpoint("endpoint", {
  type: "VPC_RESOURCE",
  description: "to a resource",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:::share/1",
  deletionPolicy: "delete",
});

// The destroy of the stack retains it.
new datapipes.ReversePrivateEndpoint("retained-endpoint", {
  type: "MSK_MULTI_VPC",
  description: "to a cluster",
  mskClusterArn: "arn:aws:kafka:::cluster/1",
  mskAuthentication: "SASL_SCRAM",
});

// Secrets that the program marks, and others that it does not.
new datapipes.Pipe("kafka", {
  source: {
    kafka: {
      brokers: "b-1.example:9092",
      topics: "orders",
      consumerGroup: "loader",
      offset: { timestamp: "2026-01-31T00:00" },
      schemaRegistry: {
        url: "https://registry.example",
        credentials: { username: "registry-user-canary", password: "registry-password-canary" },
      },
      reversePrivateEndpointIds: [endpoint.id],
      credentials: {
        username: "kafka-user-canary",
        password: was(config.requireSecret("password"), pulumi.secret("changed-password-canary")),
      },
    },
    validateSamples: true,
  },
  destination,
  fieldMappings,
  scaling: { replicas: 2, concurrency: 3, replicaCpuMillicores: 500, replicaMemoryGb: 1.5 },
  settings: { streamingMaxInsertWaitMs: 4000, dbmsMaxThreads: 6 },
  deletionPolicy: "delete",
});

new datapipes.Pipe("object-storage", {
  name: was("files", "renamed files"),
  source: {
    objectStorage: {
      url: "https://bucket.example/*.csv",
      delimiter: ";",
      compression: "gzip",
      isContinuous: true,
      queueUrl: "https://queue.example/files",
      iamRole: pulumi.secret("role-of-storage"),
      connectionString: "AccountName=demo;AccountKey=account-key-canary",
      accessKey: { accessKeyId: "key-id-canary", secretKey: "secret-key-canary" },
    },
  },
  destination: { ...destination, columns: was(columns, [...columns, { name: "at", type: "DateTime" }]) },
  fieldMappings: was(fieldMappings, [...fieldMappings, { sourceField: "$.at", destinationField: "at" }]),
  settings: {
    objectStorageConcurrency: 3,
    objectStorageMaxFileCount: was(40, 50),
    dbmsParallelViewProcessing: true,
  },
  waitFor: { states: ["Running"], timeoutSeconds: 60 },
  deletionPolicy: "delete",
});

// Adopts a pipe that another client created, and retains it when the stack is destroyed.
new datapipes.Pipe("kinesis", {
  name: "theirs",
  source: {
    kinesis: {
      streamName: "clicks",
      region: "eu-central-1",
      useEnhancedFanOut: true,
      timestamp: 1_760_000_000,
      iamRole: was("role-of-kinesis", "another-role"),
    },
  },
  adopt: "0a1b2c3d-0000-4000-8000-0000000000b1",
  replacementPolicy: "allow",
});

new datapipes.Pipe("postgres", {
  source: {
    postgres: {
      host: "db.example",
      port: 5433,
      database: "shop",
      settings: {
        syncIntervalSeconds: was(30, 60),
        publicationName: "publication",
        allowNullableColumns: true,
      },
      tableMappings: [
        {
          sourceSchemaName: "public",
          sourceTable: "orders",
          targetTable: "orders",
          excludedColumns: ["internal"],
        },
        { sourceSchemaName: "public", sourceTable: was("returns", "refunds"), targetTable: "returns" },
        {
          sourceSchemaName: "public",
          sourceTable: "customers",
          targetTable: "customers",
          useCustomSortingKey: true,
          sortingKeys: was(["id"], ["id", "country"]),
        },
      ],
      credentials: { username: "postgres-user-canary", password: "postgres-password-canary" },
    },
  },
  destination: { database: "shop" },
  deletionPolicy: "delete",
});

new datapipes.ServiceSettings("settings", {
  name: "Shop service",
  ipAccessList: [{ source: "10.0.0.0/8", description: "office" }, { source: was("192.0.2.7", "192.0.2.8") }],
  privateEndpointIds: was(["vpce-1"], ["vpce-1", "vpce-2"]),
  releaseChannel: "fast",
  endpoints: [{ protocol: "mysql", enabled: was(true, false) }],
  transparentDataEncryptionKeyId: "key-1",
  deletionPolicy: "delete",
});

const other = new datapipes.Provider("other", {
  serviceId: "0a1b2c3d-0000-4000-8000-0000000000a3",
  maxRetries: 2,
});

new datapipes.Pipe(
  "few",
  {
    source: { kafka: { brokers: "b-1.example:9092", topics: "few" } },
    destination: { table: "few" },
    settings: { dbmsMaxThreads: was(2, 3) },
  },
  { provider: other },
);

new datapipes.ServiceSettings(
  "other-settings",
  { name: was("Other service", "Another service"), ipAccessList: [], exclusive: true },
  { provider: other },
);
