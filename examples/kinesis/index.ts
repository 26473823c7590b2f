/**
 * Loads a Kinesis stream with a role, in a stack that may delete and replace its pipe.
 *
 * It needs the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a
 * secret `apiKeySecret`), and
 *
 *     pulumi config set kinesis:role arn:aws:iam::…
 *
 * The two policies let this stack delete and replace its pipe: `pulumi destroy` deletes it, and a change of the stream deletes the
 * old pipe and creates a new one. Without the policies, the pipe would keep running, and `pulumi up` would refuse the change.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("kinesis");

const clicks = new datapipes.Pipe("clicks", {
  source: {
    kinesis: {
      streamName: "clicks",
      region: "eu-central-1",
      useEnhancedFanOut: true,
      // With a role, the stack needs no access key.
      iamRole: config.require("role"),
    },
  },
  destination: {
    database: "default",
    table: "clicks",
    managedTable: true,
    tableDefinition: { sortingKey: ["clicked_at"] },
    columns: [
      { name: "page", type: "String" },
      { name: "clicked_at", type: "DateTime" },
    ],
  },
  fieldMappings: [
    { sourceField: "$.page", destinationField: "page" },
    { sourceField: "$.at", destinationField: "clicked_at" },
  ],
  deletionPolicy: "delete",
  replacementPolicy: "allow",
});

export const pipeId = clicks.id;
export const state = clicks.state;
