/**
 * Manages the settings of a service: its name, who may connect to it, and which of its endpoints are on.
 *
 * It needs the connection to the API: `datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`. `pulumi up` adds the entries to the access lists. There are two ways to treat entries that others added:
 *
 * - **Additive**, the default: they stay. A warning and the output `madeByOthers` list them.
 * - **Exclusive**: the provider removes them, and keeps what the program declares. The API cannot read the lists, so the provider
 *   sees the entries of others in the answers to its own updates only.
 *
 * Try first a new office, with `pulumi preview --diff`: the next `pulumi up` adds and removes entries in one request.
 *
 *     pulumi config set --path 'service:offices[0]' 198.51.100.0/24
 *
 * Then change the way. Look at `pulumi stack output madeByOthers` before: the next `pulumi up` removes these entries, and whoever uses
 * them can no longer connect.
 *
 *     pulumi config set service:exclusive true
 */
import * as pulumi from "@pulumi/pulumi";
import * as datapipes from "pulumi-datapipes";

const config = new pulumi.Config("service");
const offices = config.getObject<string[]>("offices") ?? ["192.0.2.0/24"];

const shop = new datapipes.ServiceSettings("shop", {
  name: "Shop analytics",
  ipAccessList: [
    ...offices.map((source) => ({ source, description: "Office" })),
    { source: "203.0.113.7", description: "Build machine" },
  ],
  exclusive: config.getBoolean("exclusive"),
  endpoints: [{ protocol: "mysql", enabled: false }],
  // `pulumi destroy` removes the entries above from the list.
  deletionPolicy: "delete",
});

export const serviceName = shop.name;
export const madeByOthers = shop.unmanagedIpAccessList;
