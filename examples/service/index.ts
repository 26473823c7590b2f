/**
 * Manages the settings of a service: its name, who may connect to it, and which of its endpoints are on.
 *
 * It needs the connection to the API: `datapipes:baseUrl`, `organizationId`, `serviceId`, `apiKeyId`, and as a secret
 * `apiKeySecret`. What the program does not declare stays as it is, also entries that other clients added to the lists; an output
 * shows them. `exclusive: true` removes them.
 *
 * Try `pulumi config set --path 'service:offices[0]' 198.51.100.0/24` and `pulumi preview --diff`: the next `pulumi up` adds and
 * removes entries in one request.
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
  endpoints: [{ protocol: "mysql", enabled: false }],
  // `pulumi destroy` removes the entries above from the list.
  deletionPolicy: "delete",
});

export const serviceName = shop.name;
export const madeByOthers = shop.unmanagedIpAccessList;
