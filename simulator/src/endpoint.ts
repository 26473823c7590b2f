import { randomUUID } from "node:crypto";
import type { Phase } from "./phase";
import { endpointCreation } from "./phase";

/** The body of createReversePrivateEndpoint. */
export interface CreateReversePrivateEndpoint {
  description?: string;
  type: "VPC_ENDPOINT_SERVICE" | "VPC_RESOURCE" | "MSK_MULTI_VPC";
  vpcEndpointServiceName?: string | null;
  vpcResourceConfigurationId?: string | null;
  vpcResourceShareArn?: string | null;
  mskClusterArn?: string | null;
  mskAuthentication?: "SASL_IAM" | "SASL_SCRAM" | null;
}

/** A reverse private endpoint as the API returns it. */
export interface ReversePrivateEndpoint extends CreateReversePrivateEndpoint {
  id: string;
  serviceId: string;
  endpointId: string;
  dnsNames: string[];
  privateDnsNames: string[];
  status: string;
}

/** An endpoint as the store keeps it; its status is worked out from the phase. */
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
