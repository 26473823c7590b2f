import type { ServiceSettingsInputs } from "../../provider/src/resources/service-settings/schema";
import type { ResourceType } from "../../provider/src/run/definitions";
import type { JsonObject } from "./json";
import { minimal } from "./pipes";

/** Arguments for one resource of each type, and what an update makes of them. */
export const EVERY_RESOURCE = {
  Pipe: { args: { name: "orders", ...minimal.kafka }, changed: { name: "renamed" } },
  ReversePrivateEndpoint: {
    args: { description: "to it", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "com.example" },
    changed: { deletionPolicy: "retain" },
  },
  ServiceSettings: {
    args: { name: "Shop", ipAccessList: [{ source: "10.0.0.0/8" }] },
    changed: { name: "B" },
  },
} satisfies Record<ResourceType, { args: JsonObject; changed: JsonObject }>;

export const office = { source: "10.0.0.0/8", description: "office" };
export const home = { source: "192.0.2.7" };
export const mysql = { protocol: "mysql", enabled: true };
export const https = { protocol: "https", enabled: true };

export const allServiceSettings = {
  name: "Shop service",
  ipAccessList: [office, home],
  privateEndpointIds: ["vpce-1", "vpce-2"],
  releaseChannel: "fast",
  endpoints: [mysql, https],
  transparentDataEncryptionKeyId: "key-1",
} satisfies ServiceSettingsInputs;
