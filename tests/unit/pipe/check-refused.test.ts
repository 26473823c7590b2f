import { fieldAt } from "../../../testkit/pipe-fields";
import { refuses } from "./refuses";

const kafkaNames = (): string =>
  fieldAt("source.kafka")
    .members?.map(({ name }) => name)
    .join(", ") ?? "";

describe("check names a value of another type with its path", () => {
  refuses("kafka", [
    ["name", 5, "… must be a string"],
    ["name", ["orders"], "… must be a string"],
    ["organizationId", 4, "… must be a string"],
    ["source", "kafka", "… must be an object"],
    ["source", [], "… must be an object"],
    ["source.kafka", 7, "… must be an object"],
    ["source.kafka.brokers", ["b-1:9092"], "… must be a string"],
    ["source.kafka.topics", true, "… must be a string"],
    ["source.kafka.offset", "2026-01-31T00:00", "… must be an object"],
    ["source.kafka.credentials", "user:password", "… must be an object"],
    ["source.kafka.credentials.password", 1234, "… must be a string"],
    ["source.kafka.schemaRegistry.credentials.username", {}, "… must be a string"],
    ["source.kafka.reversePrivateEndpointIds", "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01", "… must be a list"],
    [
      "source.kafka.reversePrivateEndpointIds",
      [1, "a", {}],
      "…[0] must be a string",
      "…[2] must be a string",
    ],
    ["source.validateSamples", "yes", "… must be a boolean"],
    ["destination", "events", "… must be an object"],
    ["destination.managedTable", "true", "… must be a boolean"],
    ["destination.tableDefinition.sortingKey", "id", "… must be a list"],
    ["destination.tableDefinition.engine.columnIds.1", 2, "… must be a string"],
    ["destination.columns.1.type", null, "… is required (string)"],
    ["fieldMappings.2", "x", "… must be an object"],
    ["fieldMappings.1.sourceField", 3, "… must be a string"],
    ["scaling", [], "… must be an object"],
    ["scaling.replicas", "2", "… must be a whole number"],
    ["scaling.replicas", 1.5, "… must be a whole number"],
    ["scaling.replicas", 1e300, "… must be a whole number of at most 15 digits"],
    ["scaling.replicaMemoryGb", "1.5", "… must be a number"],
    ["settings", 12, "… must be an object"],
    ["settings.dbmsMaxThreads", true, "… must be a whole number"],
    ["settings.dbmsParallelViewProcessing", 1, "… must be a boolean"],
    ["waitFor", "Running", "… must be an object"],
    ["waitFor", { states: "Running" }, "….states must be a list"],
  ]);
  refuses("objectStorage", [
    ["source.objectStorage.isContinuous", "no", "… must be a boolean"],
    ["source.objectStorage.connectionString", 1, "… must be a string"],
    ["source.objectStorage.accessKey.secretKey", 1, "… must be a string"],
  ]);
  refuses("kinesis", [
    ["source.kinesis.timestamp", "1760000000", "… must be a whole number"],
    ["source.kinesis.timestamp", 0.5, "… must be a whole number"],
    ["source.kinesis.accessKey", "key", "… must be an object"],
  ]);
  refuses("postgres", [
    ["source.postgres.port", "5432", "… must be a whole number"],
    ["source.postgres.settings.syncIntervalSeconds", "30", "… must be a whole number"],
    ["source.postgres.tableMappings.0", null, "… must be an object"],
    ["source.postgres.tableMappings.0.excludedColumns", "internal", "… must be a list"],
    ["source.postgres.tableMappings.0.sortingKeys.0", 1, "… must be a string"],
  ]);
});

describe("check names a missing value", () => {
  refuses("kafka", [
    ["source", undefined, "… is required (object)"],
    ["source", null, "… is required (object)"],
    ["source.kafka.offset", {}, "….timestamp is required (string)"],
    ["source.kafka.credentials.password", undefined, "… is required (string)"],
    ["fieldMappings.0.sourceField", undefined, "… is required (string)"],
    ["waitFor", {}, "….states is required (list)"],
    ["waitFor", { states: [] }, "….states must name at least one state"],
    ["waitFor", { states: ["Running"], timeoutSeconds: 0 }, "….timeoutSeconds must be more than 0"],
  ]);
  refuses("objectStorage", [
    [
      "source.objectStorage.accessKey",
      {},
      "….accessKeyId is required (string)",
      "….secretKey is required (string)",
    ],
  ]);
  refuses("postgres", [
    [
      "source.postgres.tableMappings.1",
      {},
      "….sourceSchemaName is required (string)",
      "….sourceTable is required (string)",
      "….targetTable is required (string)",
    ],
  ]);
});

describe("check names an unknown argument, and suggests the nearest one", () => {
  refuses("kafka", [
    ["nme", "orders", '… is not an argument; did you mean "name"?'],
    ["Name", "orders", '… is not an argument; did you mean "name"?'],
    ["source.kafka.broker", "b", '… is not an argument; did you mean "brokers"?'],
    ["source.kafka.consumer_group", "g", '… is not an argument; did you mean "consumerGroup"?'],
    ["source.kafka.offset.timestmp", "x", '… is not an argument; did you mean "timestamp"?'],
    ["source.kafka.credentials.pasword", "x", '… is not an argument; did you mean "password"?'],
    ["source.kafka.accessKey", {}, `… is not an argument; expected one of ${kafkaNames()}`],
    ["source.kafak", {}, '… is not an argument; did you mean "kafka"?'],
    ["destination.columns.0.nullable", true, "… is not an argument; expected one of name, type"],
    ["fieldMappings.1.sorceField", "x", '… is not an argument; did you mean "sourceField"?'],
    [
      "settings.streaming_max_insert_wait_ms",
      5000,
      '… is not an argument; did you mean "streamingMaxInsertWaitMs"?',
    ],
    ["scaling.constructor", 1, scalingNames("constructor")],
    ["scaling.toString", 1, scalingNames("toString")],
  ]);
  refuses("postgres", [
    [
      "source.postgres.tableMappings.1.target",
      "x",
      "… is not an argument; expected one of sourceSchemaName, sourceTable, " +
        "targetTable, excludedColumns, useCustomSortingKey, sortingKeys",
    ],
  ]);
});

function scalingNames(name: string): string {
  return `scaling.${name} is not an argument; expected one of replicas, concurrency, replicaCpuMillicores, replicaMemoryGb`;
}
