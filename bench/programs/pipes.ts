import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

/** What the benchmark writes beside the program. */
export interface Shape {
  readonly pipes: number;
  readonly serviceId: string;
}

/** The shape of this run. */
export const readShape = (): Shape => JSON.parse(readFileSync("shape.json", "utf8")) as Shape;

const COLUMNS = ["id", "customer", "total", "currency", "created_at", "updated_at", "status", "note"];

/** The arguments of one pipe, the same for all providers. */
export const pipeArguments = ({ serviceId }: Shape, index: number) => ({
  name: `orders-${index}`,
  serviceId,
  source: {
    kafka: {
      brokers: "kafka-1.example.com:9092,kafka-2.example.com:9092",
      topics: `orders-${index}`,
      consumerGroup: "orders-loader",
      offset: { timestamp: "2026-01-31T00:00" },
      credentials: { username: "loader", password: pulumi.secret(`password-${index}`) },
    },
  },
  destination: {
    database: "default",
    table: `orders_${index}`,
    managedTable: true,
    tableDefinition: { sortingKey: ["id"], engine: { columnIds: ["id"] } },
    columns: COLUMNS.map((name) => ({ name, type: "String" })),
  },
  fieldMappings: COLUMNS.map((name) => ({ sourceField: `$.${name}`, destinationField: name })),
  scaling: { replicas: 2 },
  settings: { streamingMaxInsertWaitMs: 4000, dbmsMaxThreads: 6 },
  deletionPolicy: "delete" as const,
});

/** What {@link pipeArguments} returns. */
export type PipeArguments = ReturnType<typeof pipeArguments>;

/** The outputs of a pipe of this package beside its arguments. */
const OUTPUTS = [
  "organizationId",
  "adopt",
  "replacementPolicy",
  "waitFor",
  "state",
  "createdAt",
  "updatedAt",
  "observed",
];

/** The properties of a resource with all outputs: each costs the SDK the same in every class. */
export const withOutputs = (args: PipeArguments): pulumi.Inputs => ({
  ...Object.fromEntries(OUTPUTS.map((output) => [output, undefined])),
  ...args,
});
