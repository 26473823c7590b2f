import { randomUUID } from "node:crypto";
import type { CreateReversePrivateEndpoint, ReversePrivateEndpoint } from "./models";
import type { Phase } from "./phase";
import { endpointCreation } from "./phase";

/** An endpoint as the store keeps it; its `status` is computed from the phase. */
export interface StoredEndpoint {
  endpoint: ReversePrivateEndpoint;
  phase: Phase;
}

export function makeEndpoint(
  serviceId: string,
  body: CreateReversePrivateEndpoint,
  now: number,
): StoredEndpoint {
  const id = randomUUID();
  const short = id.replaceAll("-", "").slice(0, 17);
  return {
    endpoint: {
      ...body,
      id,
      serviceId,
      endpointId: `vpce-${short}`,
      dnsNames: [`vpce-${short}.endpoint.datapipes.example`],
      privateDnsNames: [`${short}.private.datapipes.example`],
      status: "Provisioning",
    },
    phase: endpointCreation(now),
  };
}
