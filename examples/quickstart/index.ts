/**
 * Loads two sources into tables of your service: the Kafka topic `orders`, and the click files of an object storage.
 *
 * Configure the service, and the credentials of the sources:
 *
 *     pulumi config set datapipes:baseUrl https://…
 *     pulumi config set datapipes:organizationId …
 *     pulumi config set datapipes:serviceId …
 *     pulumi config set datapipes:apiKeyId …
 *     pulumi config set --secret datapipes:apiKeySecret     # asks for the value
 *     pulumi config set --secret quickstart:kafkaPassword     # asks for the value
 *     pulumi config set --secret quickstart:storageSecretKey     # asks for the value
 *
 * Then `pulumi up` creates the pipes, and a second `pulumi up` changes nothing. Try a change that needs no new pipe:
 * `pulumi config set quickstart:flushIntervalMs 2000` and `pulumi preview --diff`.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("quickstart");

const orders = new datapipes.Pipe("orders", {
  source: {
    kafka: {
      brokers: "kafka-1.example.com:9092,kafka-2.example.com:9092",
      topics: "orders",
      consumerGroup: "orders-loader",
      offset: { timestamp: "2026-01-31T00:00" },
      // Pulumi encrypts every credential in the state and never shows it, whether the program wraps it as a secret or not.
      credentials: { username: "orders-loader", password: config.requireSecret("kafkaPassword") },
    },
  },
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    tableDefinition: { sortingKey: ["order_id"] },
    columns: [
      { name: "order_id", type: "UInt64" },
      { name: "customer", type: "String" },
      { name: "total", type: "Decimal(18, 2)" },
      { name: "ordered_at", type: "DateTime" },
    ],
  },
  // Every column of the destination needs a mapping.
  fieldMappings: [
    { sourceField: "$.id", destinationField: "order_id" },
    { sourceField: "$.customer.name", destinationField: "customer" },
    { sourceField: "$.total", destinationField: "total" },
    { sourceField: "$.orderedAt", destinationField: "ordered_at" },
  ],
  scaling: { replicas: 2 },
  // How long the pipe collects rows before it inserts them. A change updates the pipe in place.
  settings: { streamingMaxInsertWaitMs: config.getNumber("flushIntervalMs") ?? 5000 },
});

const clicks = new datapipes.Pipe("clicks", {
  source: {
    objectStorage: {
      url: "https://clicks.example.com/2026/*.json.gz",
      compression: "auto",
      isContinuous: true,
      accessKey: { accessKeyId: "clicks-reader", secretKey: config.requireSecret("storageSecretKey") },
    },
  },
  destination: {
    database: "default",
    table: "clicks",
    managedTable: true,
    tableDefinition: { sortingKey: ["clicked_at"], partitionBy: "toYYYYMM(clicked_at)" },
    columns: [
      { name: "page", type: "String" },
      { name: "visitor", type: "UUID" },
      { name: "clicked_at", type: "DateTime" },
    ],
  },
  fieldMappings: [
    { sourceField: "$.page", destinationField: "page" },
    { sourceField: "$.visitor", destinationField: "visitor" },
    { sourceField: "$.at", destinationField: "clicked_at" },
  ],
  settings: { objectStorageConcurrency: 2, objectStoragePollingIntervalMs: 1000 },
});

export const ordersId = orders.id;
export const ordersState = orders.state;
export const clicksId = clicks.id;
export const clicksState = clicks.state;
