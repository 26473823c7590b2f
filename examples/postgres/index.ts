/**
 * Replicates tables of a Postgres database, and waits until they have arrived.
 *
 * Beside the connection to the API (`datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`) it needs
 *
 *     pulumi config set --secret postgres:password     # asks for the value
 *
 * `pulumi up` ends when the pipe is running. Then try
 *
 *     pulumi config set --path 'postgres:tables[0]' orders
 *     pulumi config set --path 'postgres:tables[1]' invoices
 *
 * and `pulumi preview --diff`: one request adds the new table and removes the one that is no longer declared.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("postgres");
const tables = config.getObject<string[]>("tables") ?? ["orders", "customers"];

const shop = new datapipes.Pipe("shop", {
  source: {
    postgres: {
      host: "db.example.com",
      port: 5432,
      database: "shop",
      settings: { syncIntervalSeconds: 60, publicationName: "datapipes", initialLoadParallelism: 4 },
      tableMappings: tables.map((table) => ({
        sourceSchemaName: "public",
        sourceTable: table,
        targetTable: table,
        excludedColumns: ["internal_note"],
      })),
      credentials: { username: "replicator", password: config.requireSecret("password") },
    },
  },
  destination: { database: "shop" },
  // If the first load takes longer, the pipe stays in the stack, and the next `pulumi up` resumes waiting.
  waitFor: { states: ["Running"], timeoutSeconds: 1800 },
});

export const pipeId = shop.id;
export const state = shop.state;
