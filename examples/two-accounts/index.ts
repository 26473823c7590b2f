/**
 * Loads one topic into services of two accounts, one in Europe and one in America. Each account has its own `Provider`, with its own
 * key and its own rate limit.
 *
 *     pulumi config set europe:apiKeyId …
 *     pulumi config set --secret europe:apiKeySecret     # asks for the value
 *     pulumi config set europe:organizationId …
 *     pulumi config set europe:serviceId …
 *
 * and the same four with `america:`. Settings that the provider's arguments leave out, here the address, come from the stack's
 * configuration: `pulumi config set datapipes:baseUrl https://…`. Both accounts need the password of the cluster:
 *
 *     pulumi config set --secret two-accounts:kafkaPassword     # asks for the value
 *
 * `pulumi up` creates a pipe in each account. A pipe cannot move to another account: `pulumi preview` refuses such a change.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const password = new pulumi.Config("two-accounts").requireSecret("kafkaPassword");

/** The account whose settings are in this namespace of the configuration. */
function accountOf(namespace: string): datapipes.Provider {
  const config = new pulumi.Config(namespace);
  return new datapipes.Provider(namespace, {
    apiKeyId: config.require("apiKeyId"),
    apiKeySecret: config.requireSecret("apiKeySecret"),
    organizationId: config.require("organizationId"),
    serviceId: config.require("serviceId"),
  });
}

const europe = accountOf("europe");
const america = accountOf("america");

/** The orders of a region. Logical names are unique in a stack; pipes in different services may have the same name. */
function ordersOf(region: string, provider: datapipes.Provider): datapipes.Pipe {
  return new datapipes.Pipe(
    `orders-${region}`,
    {
      name: "orders",
      source: {
        kafka: {
          brokers: `kafka-${region}.example.com:9092`,
          topics: "orders",
          credentials: { username: "orders-loader", password },
        },
      },
      destination: { database: "default", table: "orders", columns: [{ name: "order_id", type: "UInt64" }] },
      fieldMappings: [{ sourceField: "$.id", destinationField: "order_id" }],
    },
    { provider },
  );
}

export const europeId = ordersOf("europe", europe).id;
export const americaId = ordersOf("america", america).id;
