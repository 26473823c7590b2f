import type { ServiceSettingsInputs } from "../../provider/src/resources/service-settings/schema";

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
