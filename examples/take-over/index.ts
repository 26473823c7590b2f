/**
 * Takes over a pipe that exists already, made by hand or by another tool. There are two ways, and neither interrupts the pipe.
 *
 * Both need the connection to the API: `datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`.
 *
 * **Adopt it in the program**, as this program does. The pipe's id is in the console of the service.
 *
 *     pulumi config set take-over:pipe <id of the pipe>
 *     pulumi preview
 *
 * The preview shows what the adoption will change, each with both values: here the flush interval, because the program declares
 * another one. `pulumi up` sends that one field. A field that the API cannot change must be as it is, or the preview fails
 * and shows both values; a field that the program leaves out stays as it is. The pipe keeps its credentials, so the program need not
 * declare them. Afterwards, remove `adopt` or keep it.
 *
 * **Let `datapipes import` write the program**, for many pipes. It replaces this file; `--only` chooses pipes by name or id.
 *
 *     npx pulumi-datapipes import --mode import --force --only <id of the pipe>
 *     pulumi import --file import.json --generate-code=false --yes
 *     pulumi preview --expect-no-changes
 *
 * Removing a pipe from the program leaves it running in either case, because `deletionPolicy` is `"retain"` by default. So does
 * `pulumi destroy`.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("take-over");

const orders = new datapipes.Pipe("orders", {
  adopt: config.require("pipe"),
  source: { kafka: { brokers: "kafka.example.com:9092", topics: "orders" } },
  destination: { database: "default", table: "orders" },
  settings: { streamingMaxInsertWaitMs: 2000 },
});

export const pipeId = orders.id;
export const state = orders.state;
