/**
 * Loads a topic of an Amazon MSK cluster over a private connection, and logs in with a role, so the stack has no password.
 * The brokers of the pipe are the names under which the connection is reached, which the API returns when it creates it.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set msk:clusterArn arn:aws:kafka:…
 *     pulumi config set msk:role arn:aws:iam::…
 *     pulumi config set msk:port <port of the brokers for private connections that log in with a role>
 *
 * The policy of the cluster must allow the account of the service to connect. The first `pulumi preview` shows the brokers as an
 * unknown value. `pulumi up` creates the connection, then the pipe.
 *
 * Some services name the brokers only later, when the connection is ready. Then `pulumi up` creates the connection, stops, and says
 * to set the brokers by hand. Look them up in the console of the service:
 *
 *     pulumi config set msk:brokers <name>:<port>,<name>:<port>
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("msk");
const port = config.requireNumber("port");

const connection = new datapipes.ReversePrivateEndpoint("cluster", {
  type: "MSK_MULTI_VPC",
  description: "Kafka cluster of the shop",
  mskClusterArn: config.require("clusterArn"),
  mskAuthentication: "SASL_IAM",
});

/** The names of the connection as brokers. The function in `apply` runs when they are known, so never in the first preview. */
const brokersOfConnection = () =>
  connection.dnsNames.apply((names) => {
    if (names.length === 0)
      throw new pulumi.RunError(
        "The connection has no DNS names yet: run `pulumi config set msk:brokers …`.",
      );
    return names.map((name) => `${name}:${port}`).join(",");
  });

const orders = new datapipes.Pipe("orders", {
  source: {
    kafka: {
      brokers: config.get("brokers") ?? brokersOfConnection(),
      topics: "orders",
      consumerGroup: "orders-loader",
      reversePrivateEndpointIds: [connection.id],
      iamRole: config.require("role"),
    },
  },
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    tableDefinition: { sortingKey: ["order_id"] },
    columns: [
      { name: "order_id", type: "UInt64" },
      { name: "total", type: "Decimal(18, 2)" },
    ],
  },
  fieldMappings: [
    { sourceField: "$.id", destinationField: "order_id" },
    { sourceField: "$.total", destinationField: "total" },
  ],
});

export const brokers = orders.source.apply(({ kafka }) => kafka?.brokers);
export const connectionStatus = connection.status;
export const pipeId = orders.id;
