import type { Json, JsonObject } from "./json";
import { isObject, valueAt } from "./json";

/** Optional fields of responses, by the object that carries them ("" is the response object itself). */
const OPTIONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "source.kafka": [
    "consumerGroup",
    "iamRole",
    "offset",
    "schemaRegistry",
    "caCertificate",
    "reversePrivateEndpointIds",
  ],
  "source.kafka.schemaRegistry": ["caCertificate"],
  "source.objectStorage": [
    "delimiter",
    "compression",
    "isContinuous",
    "queueUrl",
    "iamRole",
    "connectionString",
    "path",
    "azureContainerName",
  ],
  "source.kinesis": ["useEnhancedFanOut", "timestamp", "iamRole"],
  "source.postgres": ["settings", "tableMappings"],
  destination: ["table", "managedTable", "tableDefinition", "columns"],
  "destination.tableDefinition": ["engine", "sortingKey", "partitionBy", "primaryKey"],
};

const ENDPOINT_FIELDS = [
  "vpcEndpointServiceName",
  "vpcResourceConfigurationId",
  "vpcResourceShareArn",
  "mskClusterArn",
  "mskAuthentication",
];

function addNulls(object: JsonObject, fields: readonly string[]): void {
  for (const field of fields) object[field] ??= null;
}

/** A copy of a response object that carries null where an optional field has no value, as some services answer. */
export function withNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNulls);
  if (!isObject(value)) return value;
  const copy = structuredClone(value);
  if ("endpointId" in copy) addNulls(copy, ENDPOINT_FIELDS);
  if (!("source" in copy)) return copy;
  addNulls(copy, ["scaling", "fieldMappings", "settings"]);
  for (const [path, fields] of Object.entries(OPTIONAL_FIELDS)) {
    const object = valueAt(copy, path);
    if (isObject(object)) addNulls(object, fields);
  }
  return copy;
}
