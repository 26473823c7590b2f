import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

/** Declares one pipe for each topic. A function, so that a test can set mocks and configuration before it runs. */
export function declarePipes(): datapipes.Pipe[] {
  const config = new pulumi.Config("unit-tests");
  const password = config.requireSecret("kafkaPassword");
  const streamingMaxInsertWaitMs = config.getNumber("flushIntervalMs") ?? 5000;

  return ["orders", "refunds", "stock-levels"].map(
    (topic) =>
      new datapipes.Pipe(topic, {
        source: {
          kafka: {
            brokers: "kafka.example.com:9092",
            topics: topic,
            credentials: { username: "shop-loader", password },
          },
        },
        destination: {
          database: "shop",
          table: topic.replaceAll("-", "_"),
          columns: [
            { name: "id", type: "UUID" },
            { name: "payload", type: "String" },
          ],
        },
        fieldMappings: [
          { sourceField: "$.id", destinationField: "id" },
          { sourceField: "$.payload", destinationField: "payload" },
        ],
        settings: { streamingMaxInsertWaitMs },
      }),
  );
}
