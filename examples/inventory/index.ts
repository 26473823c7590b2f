/**
 * Shows what exists in an account, and changes nothing: the pipes and their states, one pipe with its settings, and the last
 * backup. The functions use an explicit provider, because the account is not the one of the stack's configuration.
 *
 *     pulumi config set inventory:apiKeyId …
 *     pulumi config set --secret inventory:apiKeySecret     # asks for the value
 *     pulumi config set inventory:organizationId …
 *     pulumi config set inventory:serviceId …
 *     pulumi config set inventory:pipe <name of a pipe>
 *
 * Settings that the provider's arguments leave out, here the address, come from the stack's configuration (`datapipes:baseUrl`).
 * `pulumi up` sets the outputs, `pulumi stack output` shows them, and the next `pulumi up` reads them again.
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("inventory");

const provider = new datapipes.Provider("production", {
  apiKeyId: config.require("apiKeyId"),
  apiKeySecret: config.requireSecret("apiKeySecret"),
  organizationId: config.require("organizationId"),
  serviceId: config.require("serviceId"),
});

const all = datapipes.getPipesOutput({}, { provider });
export const states = all.pipes.apply((pipes) =>
  Object.fromEntries(pipes.map(({ name, state }) => [name, state])),
);

const pipe = datapipes.getPipeOutput({ name: config.require("pipe") }, { provider });
export const createdAt = pipe.createdAt;
// Pipes that read from Postgres have no settings of this kind; for them this fails with the code `not-found`.
export const settings = datapipes.getPipeSettingsOutput({ pipeId: pipe.id }, { provider });

const { backups } = datapipes.getBackupsOutput({}, { provider });
export const lastBackup = backups.apply((list) => list.at(0)?.backupName);
