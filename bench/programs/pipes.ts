import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

/** What a run of the program declares; the benchmark writes it beside the program. */
export interface Shape {
  /** How many pipes. */
  readonly pipes: number;
  /** The value of the one field that an update changes in all pipes. */
  readonly iamRole: string;
  /** The services: each pipe belongs to the next one in turn. */
  readonly serviceIds: readonly string[];
}

/** The shape of this run. */
export const readShape = (): Shape => JSON.parse(readFileSync("shape.json", "utf8")) as Shape;

const COLUMNS = ["id", "customer", "total", "currency", "created_at", "updated_at", "status", "note"];

/** The arguments of one pipe, as in a usual program; the same for all variants. */
export const pipeArguments = ({ iamRole, serviceIds }: Shape, index: number) => ({
  name: `orders-${index}`,
  serviceId: serviceIds[index % serviceIds.length] ?? "",
  source: {
    kafka: {
      brokers: "kafka-1.example.com:9092,kafka-2.example.com:9092",
      topics: `orders-${index}`,
      consumerGroup: "orders-loader",
      iamRole,
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

/** What {@link pipeArguments} gives. */
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

/** Outputs that only the comparison of their number needs. */
const moreOutputs = (): readonly string[] =>
  Array.from({ length: Number(process.env["BENCH_MORE_OUTPUTS"] ?? 0) }, (_, index) => `more${index}`);

/** The properties of a resource that declares all outputs: each costs the SDK the same in every class. */
export const withOutputs = (args: PipeArguments): pulumi.Inputs => ({
  ...Object.fromEntries([...OUTPUTS, ...moreOutputs()].map((output) => [output, undefined])),
  ...args,
});
