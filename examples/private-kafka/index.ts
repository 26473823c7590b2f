/**
 * Loads a Kafka topic whose brokers are in a private network: first the connection into that network, then the pipe that
 * reads through it.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set private-kafka:endpointService com.amazonaws.vpce.…
 *     pulumi config set --secret private-kafka:password     # asks for the value
 *
 * After `pulumi up`, the owner of the network accepts the connection, whose id is the output `connection`. The API can change
 * neither an endpoint nor the brokers of a pipe: `pulumi preview` refuses such a change and says what to do.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("private-kafka");

const endpoint = new datapipes.ReversePrivateEndpoint("brokers", {
  type: "VPC_ENDPOINT_SERVICE",
  description: "Kafka brokers of the shop",
  vpcEndpointServiceName: config.require("endpointService"),
});

const payments = new datapipes.Pipe("payments", {
  source: {
    kafka: {
      brokers: "kafka.shop.example.com:9092",
      topics: "payments",
      consumerGroup: "payments-loader",
      reversePrivateEndpointIds: [endpoint.id],
      credentials: { username: "payments-loader", password: config.requireSecret("password") },
    },
  },
  destination: {
    database: "default",
    table: "payments",
    managedTable: true,
    tableDefinition: { sortingKey: ["payment_id"] },
    columns: [
      { name: "payment_id", type: "UUID" },
      { name: "amount", type: "Decimal(18, 2)" },
    ],
  },
  fieldMappings: [
    { sourceField: "$.id", destinationField: "payment_id" },
    { sourceField: "$.amount", destinationField: "amount" },
  ],
});

export const connection = endpoint.endpointId;
export const connectionStatus = endpoint.status;
export const pipeId = payments.id;
