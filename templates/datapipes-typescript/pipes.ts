import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

/** Declares the pipes. A function, so that the tests can set mocks and configuration before it runs. */
export function declarePipes(): { orders: datapipes.Pipe } {
  const config = new pulumi.Config();

  const orders = new datapipes.Pipe("orders", {
    source: {
      kafka: {
        brokers: config.require("kafkaBrokers"),
        topics: config.require("kafkaTopic"),
        credentials: {
          username: config.require("kafkaUsername"),
          password: config.requireSecret("kafkaPassword"),
        },
      },
    },
    destination: {
      database: "default",
      table: "orders",
      managedTable: true,
      tableDefinition: { sortingKey: ["id"] },
      columns: [
        { name: "id", type: "UUID" },
        { name: "created_at", type: "DateTime" },
        { name: "amount", type: "Decimal(18, 2)" },
      ],
    },
    fieldMappings: [
      { sourceField: "$.id", destinationField: "id" },
      { sourceField: "$.createdAt", destinationField: "created_at" },
      { sourceField: "$.amount", destinationField: "amount" },
    ],
    // `pulumi up` ends when the pipe loads data, and fails if it cannot. Later, `npx pulumi-datapipes status` says how it is.
    waitFor: { states: ["Running"] },
    // `pulumi destroy` leaves the pipe running. "delete" deletes it.
    deletionPolicy: "retain",
  });

  return { orders };
}
