/**
 * Loads a Kinesis stream. A pipe that exists already is taken over instead of making a second one:
 *
 *     pulumi config set kinesis:adopt <id of the pipe>
 *
 * Beside that it needs the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a
 * secret `apiKeySecret`), and
 *
 *     pulumi config set kinesis:role arn:aws:iam::…
 *
 * This stack owns its pipe: `pulumi destroy` deletes it, and a change that needs another pipe, such as another stream,
 * deletes the old one and makes a new one. Without the two policies it would go on running, and `pulumi up` refuse the change.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("kinesis");

const clicks = new datapipes.Pipe("clicks", {
  adopt: config.get("adopt"),
  source: {
    kinesis: {
      streamName: "clicks",
      region: "eu-central-1",
      useEnhancedFanOut: true,
      // Read by a role, so that no key has to be kept.
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
