/**
 * Declares two feeds with a component resource of its own, `DataFeed` in `data-feed.ts`: a private connection, a pipe that reads
 * through it, and the text of an alert. Change the component, and all feeds follow.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set component:endpointService com.amazonaws.vpce.…
 *     pulumi config set --secret component:password     # asks for the value
 *
 * `pulumi up` shows a tree: under each feed its connection and its pipe. The output `alerts` has a line for each feed whose pipe does
 * not run. It is as old as the state of the pipes: run `pulumi up --refresh` before you read it.
 */
import * as pulumi from "@pulumi/pulumi";
import { DataFeed } from "./data-feed";

const config = new pulumi.Config("component");

const shared = {
  endpointService: config.require("endpointService"),
  brokers: "kafka.shop.example.com:9092",
  credentials: { username: "loader", password: config.requireSecret("password") },
};

const feeds = [
  new DataFeed("payments", {
    ...shared,
    topic: "payments",
    columns: [
      { name: "payment_id", type: "UUID" },
      { name: "amount", type: "Decimal(18, 2)" },
    ],
  }),
  new DataFeed("refunds", {
    ...shared,
    topic: "refunds",
    columns: [{ name: "refund_id", type: "UUID" }],
  }),
];

export const connections = feeds.map((feed) => feed.connection);
export const pipeIds = feeds.map((feed) => feed.pipeId);
export const alerts = pulumi.all(feeds.map((feed) => feed.alert)).apply((lines) => lines.filter(Boolean));
