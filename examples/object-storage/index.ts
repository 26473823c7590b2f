/**
 * Loads the files of a bucket in both ways: those of last year once, and this year's continuously. A queue announces each new file,
 * so the second pipe need not list the bucket again and again.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set object-storage:role arn:aws:iam::…
 *     pulumi config set object-storage:queue https://sqs.…
 *
 * The role must be able to read the bucket and the queue. `pulumi up` ends when last year is loaded: that pipe reaches the state
 * `Completed` and loads nothing more. You can keep it in the program, which costs nothing, or remove it: its rows stay.
 *
 * The API cannot turn a one-time pipe into a continuous one, or change its files: `pulumi preview` refuses, and says what to do.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("object-storage");
const iamRole = config.require("role");

const table = {
  database: "default",
  managedTable: true,
  tableDefinition: { sortingKey: ["clicked_at"], partitionBy: "toYYYYMM(clicked_at)" },
  columns: [
    { name: "page", type: "String" },
    { name: "clicked_at", type: "DateTime" },
  ],
};
const fieldMappings = [
  { sourceField: "$.page", destinationField: "page" },
  { sourceField: "$.at", destinationField: "clicked_at" },
];

const history = new datapipes.Pipe("history", {
  source: {
    objectStorage: {
      url: "https://clicks.s3.eu-central-1.amazonaws.com/2025/*.json.gz",
      compression: "gzip",
      isContinuous: false,
      iamRole,
    },
  },
  destination: { ...table, table: "clicks_2025" },
  fieldMappings,
  // Four files at a time.
  settings: { objectStorageConcurrency: 4 },
  // If the load takes longer, the pipe stays in the stack, and the next `pulumi up` resumes waiting.
  waitFor: { states: ["Completed"], timeoutSeconds: 3600 },
});

const clicks = new datapipes.Pipe("clicks", {
  source: {
    objectStorage: {
      url: "https://clicks.s3.eu-central-1.amazonaws.com/2026/*.json.gz",
      compression: "gzip",
      isContinuous: true,
      queueUrl: config.require("queue"),
      iamRole,
    },
  },
  destination: { ...table, table: "clicks" },
  fieldMappings,
});

export const historyState = history.state;
export const clicksState = clicks.state;
export const clicksId = clicks.id;
