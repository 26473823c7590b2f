/**
 * A program, and beside it a policy pack in the folder `pack` that checks it: no access list lets the whole internet
 * in, pipes keep running or are protected, and nothing is sent over plain http.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set policies:role arn:aws:iam::…
 *
 * `pulumi preview --policy-pack pack` and `pulumi up --policy-pack pack` check the program, and this one passes. To see the
 * policies fail, try these before the first `pulumi up`, and preview again:
 *
 *     pulumi config set --path 'policies:offices[0]' 0.0.0.0/0
 *     pulumi config set policies:deletionPolicy delete
 *     pulumi config set policies:files http://clicks.example.com/today.json
 *
 * Each violation is a line with the policy and the resource. The preview then fails, so `pulumi up` stops before it changes anything.
 * To use the pack for programs of your own, copy its folder, and install `@pulumi/policy`, `@pulumi/pulumi` and `pulumi-datapipes` in it.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("policies");
const offices = config.getObject<string[]>("offices") ?? ["192.0.2.0/24"];

const shop = new datapipes.ServiceSettings("shop", {
  ipAccessList: offices.map((source) => ({ source, description: "Office" })),
});

const clicks = new datapipes.Pipe("clicks", {
  source: {
    objectStorage: {
      url: config.get("files") ?? "https://clicks.example.com/2026/*.json",
      isContinuous: true,
      iamRole: config.require("role"),
    },
  },
  destination: { database: "default", table: "clicks", columns: [{ name: "page", type: "String" }] },
  fieldMappings: [{ sourceField: "$.page", destinationField: "page" }],
  deletionPolicy: config.get<datapipes.DeletionPolicy>("deletionPolicy"),
});

export const unmanagedEntries = shop.unmanagedIpAccessList;
export const pipeId = clicks.id;
