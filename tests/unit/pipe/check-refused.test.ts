import { refuses } from "./refuses";

describe("check names a value of another type with its path", () => {
  refuses("kafka", [
    ["name", 5, "name must be a string"],
    ["name", ["orders"], "name must be a string"],
    ["organizationId", 4, "organizationId must be a string"],
    ["source", "kafka", "source must be an object"],
    ["source", [], "source must be an object"],
    ["source.kafka", 7, "source.kafka must be an object"],
    ["source.kafka.brokers", ["b-1:9092"], "source.kafka.brokers must be a string"],
    ["source.kafka.topics", true, "source.kafka.topics must be a string"],
    ["source.kafka.offset", "2026-01-31T00:00", "source.kafka.offset must be an object"],
    ["source.kafka.credentials", "user:password", "source.kafka.credentials must be an object"],
    ["source.kafka.credentials.password", 1234, "source.kafka.credentials.password must be a string"],
    [
      "source.kafka.schemaRegistry.credentials.username",
      {},
      "source.kafka.schemaRegistry.credentials.username must be a string",
    ],
    [
      "source.kafka.reversePrivateEndpointIds",
      "3f0c1f5e-6a51-4b1c-9b1a-0d9f5a5f1a01",
      "source.kafka.reversePrivateEndpointIds must be a list",
    ],
    [
      "source.kafka.reversePrivateEndpointIds",
      [1, "a", {}],
      "source.kafka.reversePrivateEndpointIds[0] must be a string",
      "source.kafka.reversePrivateEndpointIds[2] must be a string",
    ],
    ["source.validateSamples", "yes", "source.validateSamples must be a boolean"],
    ["destination", "events", "destination must be an object"],
    ["destination.managedTable", "true", "destination.managedTable must be a boolean"],
    ["destination.tableDefinition.sortingKey", "id", "destination.tableDefinition.sortingKey must be a list"],
    [
      "destination.tableDefinition.engine.columnIds.1",
      2,
      "destination.tableDefinition.engine.columnIds[1] must be a string",
    ],
    ["destination.columns.1.type", null, "destination.columns[1].type is required (string)"],
    ["fieldMappings.2", "x", "fieldMappings[2] must be an object"],
    ["fieldMappings.1.sourceField", 3, "fieldMappings[1].sourceField must be a string"],
    ["scaling", [], "scaling must be an object"],
    ["scaling.replicas", "2", "scaling.replicas must be a whole number"],
    ["scaling.replicas", 1.5, "scaling.replicas must be a whole number"],
    ["scaling.replicas", 1e300, "scaling.replicas must be a whole number of at most 15 digits"],
    ["scaling.replicaMemoryGb", "1.5", "scaling.replicaMemoryGb must be a number"],
    ["settings", 12, "settings must be an object"],
    ["settings.dbmsMaxThreads", true, "settings.dbmsMaxThreads must be a whole number"],
    ["settings.dbmsParallelViewProcessing", 1, "settings.dbmsParallelViewProcessing must be a boolean"],
    ["waitFor", "Running", "waitFor must be an object"],
    ["waitFor", { states: "Running" }, "waitFor.states must be a list"],
  ]);
  refuses("objectStorage", [
    ["source.objectStorage.isContinuous", "no", "source.objectStorage.isContinuous must be a boolean"],
    ["source.objectStorage.connectionString", 1, "source.objectStorage.connectionString must be a string"],
    [
      "source.objectStorage.accessKey.secretKey",
      1,
      "source.objectStorage.accessKey.secretKey must be a string",
    ],
  ]);
  refuses("kinesis", [
    ["source.kinesis.timestamp", "1760000000", "source.kinesis.timestamp must be a whole number"],
    ["source.kinesis.timestamp", 0.5, "source.kinesis.timestamp must be a whole number"],
    ["source.kinesis.accessKey", "key", "source.kinesis.accessKey must be an object"],
  ]);
  refuses("postgres", [
    ["source.postgres.port", "5432", "source.postgres.port must be a whole number"],
    [
      "source.postgres.settings.syncIntervalSeconds",
      "30",
      "source.postgres.settings.syncIntervalSeconds must be a whole number",
    ],
    ["source.postgres.tableMappings.0", null, "source.postgres.tableMappings[0] must be an object"],
    [
      "source.postgres.tableMappings.0.excludedColumns",
      "internal",
      "source.postgres.tableMappings[0].excludedColumns must be a list",
    ],
    [
      "source.postgres.tableMappings.0.sortingKeys.0",
      1,
      "source.postgres.tableMappings[0].sortingKeys[0] must be a string",
    ],
  ]);
});

describe("check names a missing value", () => {
  refuses("kafka", [
    ["source", undefined, "source is required (object)"],
    ["source", null, "source is required (object)"],
    ["source.kafka.offset", {}, "source.kafka.offset.timestamp is required (string)"],
    [
      "source.kafka.credentials.password",
      undefined,
      "source.kafka.credentials.password is required (string)",
    ],
    ["fieldMappings.0.sourceField", undefined, "fieldMappings[0].sourceField is required (string)"],
    ["waitFor", {}, "waitFor.states is required (list)"],
    ["waitFor", { states: [] }, "waitFor.states must name at least one state"],
    ["waitFor", { states: ["Running"], timeoutSeconds: 0 }, "waitFor.timeoutSeconds must be more than 0"],
  ]);
  refuses("objectStorage", [
    [
      "source.objectStorage.accessKey",
      {},
      "source.objectStorage.accessKey.accessKeyId is required (string)",
      "source.objectStorage.accessKey.secretKey is required (string)",
    ],
  ]);
  refuses("postgres", [
    [
      "source.postgres.tableMappings.1",
      {},
      "source.postgres.tableMappings[1].sourceSchemaName is required (string)",
      "source.postgres.tableMappings[1].sourceTable is required (string)",
      "source.postgres.tableMappings[1].targetTable is required (string)",
    ],
  ]);
});

describe("check names an unknown argument, and suggests the nearest one", () => {
  refuses("kafka", [
    ["nme", "orders", 'nme is not an argument; did you mean "name"?'],
    ["Name", "orders", 'Name is not an argument; did you mean "name"?'],
    ["source.kafka.broker", "b", 'source.kafka.broker is not an argument; did you mean "brokers"?'],
    [
      "source.kafka.consumer_group",
      "g",
      'source.kafka.consumer_group is not an argument; did you mean "consumerGroup"?',
    ],
    [
      "source.kafka.offset.timestmp",
      "x",
      'source.kafka.offset.timestmp is not an argument; did you mean "timestamp"?',
    ],
    [
      "source.kafka.credentials.pasword",
      "x",
      'source.kafka.credentials.pasword is not an argument; did you mean "password"?',
    ],
    ["source.kafka.accessKey", {}, `source.kafka.accessKey is not an argument; known here: ${kafkaNames()}`],
    ["source.kafak", {}, 'source.kafak is not an argument; did you mean "kafka"?'],
    [
      "destination.columns.0.nullable",
      true,
      "destination.columns[0].nullable is not an argument; known here: name, type",
    ],
    [
      "fieldMappings.1.sorceField",
      "x",
      'fieldMappings[1].sorceField is not an argument; did you mean "sourceField"?',
    ],
    [
      "settings.streaming_max_insert_wait_ms",
      5000,
      'settings.streaming_max_insert_wait_ms is not an argument; did you mean "streamingMaxInsertWaitMs"?',
    ],
    ["scaling.constructor", 1, scalingNames("constructor")],
    ["scaling.toString", 1, scalingNames("toString")],
  ]);
  refuses("postgres", [
    [
      "source.postgres.tableMappings.1.target",
      "x",
      "source.postgres.tableMappings[1].target is not an argument; known here: sourceSchemaName, sourceTable, " +
        "targetTable, excludedColumns, useCustomSortingKey, sortingKeys",
    ],
  ]);
});

function kafkaNames(): string {
  return "brokers, topics, consumerGroup, iamRole, offset, schemaRegistry, caCertificate, reversePrivateEndpointIds, credentials";
}

function scalingNames(name: string): string {
  return `scaling.${name} is not an argument; known here: replicas, concurrency, replicaCpuMillicores, replicaMemoryGb`;
}
