/**
 * Loads the Avro messages of a Kafka topic. The pipe reads the schema of each message from a schema registry.
 *
 * Configure the service, and the credentials of cluster and registry:
 *
 *     pulumi config set datapipes:baseUrl https://…
 *     pulumi config set datapipes:organizationId …
 *     pulumi config set datapipes:serviceId …
 *     pulumi config set datapipes:apiKeyId …
 *     pulumi config set --secret datapipes:apiKeySecret     # asks for the value
 *     pulumi config set --secret kafka-schema-registry:kafkaPassword     # asks for the value
 *     pulumi config set --secret kafka-schema-registry:registryPassword     # asks for the value
 *
 * `pulumi up` creates the pipe. The service reads a sample first and refuses the pipe if it cannot.
 *
 * The two passwords differ in one way. A new `kafkaPassword` updates the pipe in place. The API cannot change anything of a
 * registry, its password included: `pulumi preview` refuses a new `registryPassword` and says what to do.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("kafka-schema-registry");

const shipments = new datapipes.Pipe("shipments", {
  source: {
    kafka: {
      brokers: "kafka.example.com:9092",
      topics: "shipments",
      consumerGroup: "shipments-loader",
      credentials: { username: "shipments-loader", password: config.requireSecret("kafkaPassword") },
      schemaRegistry: {
        url: "https://registry.example.com",
        credentials: { username: "shipments-loader", password: config.requireSecret("registryPassword") },
      },
    },
    validateSamples: true,
  },
  destination: {
    database: "default",
    table: "shipments",
    managedTable: true,
    tableDefinition: { sortingKey: ["shipped_at"] },
    columns: [
      { name: "shipment_id", type: "UUID" },
      { name: "weight_kg", type: "Float64" },
      { name: "shipped_at", type: "DateTime" },
    ],
  },
  // The names of the fields are those of the Avro schema.
  fieldMappings: [
    { sourceField: "id", destinationField: "shipment_id" },
    { sourceField: "weight", destinationField: "weight_kg" },
    { sourceField: "shippedAt", destinationField: "shipped_at" },
  ],
});

export const pipeId = shipments.id;
export const state = shipments.state;
