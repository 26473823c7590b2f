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
