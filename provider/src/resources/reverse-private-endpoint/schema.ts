import { z } from "zod";
import { immutable } from "../../core/fields";
import { adoptedId, deletionPolicy, replacementPolicy, scopeId, text } from "../schema-types";

/** The most characters of a description that the API takes. */
export const MAX_DESCRIPTION_LENGTH = 255;

/** The fields that each type of endpoint cannot do without. */
export const REQUIRED_BY_TYPE = {
  VPC_ENDPOINT_SERVICE: [],
  VPC_RESOURCE: ["vpcResourceConfigurationId", "vpcResourceShareArn"],
  MSK_MULTI_VPC: ["mskClusterArn", "mskAuthentication"],
} as const;

const types = Object.keys(REQUIRED_BY_TYPE) as (keyof typeof REQUIRED_BY_TYPE)[];

const description = () =>
  z.string().max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`);

/** The fields of a reverse private endpoint. The API can only create one, so every change needs another. */
export const reversePrivateEndpointSchema = z.strictObject({
  organizationId: scopeId(),
  serviceId: scopeId(),
  description: immutable(description()),
  type: immutable(z.enum(types)),
  vpcEndpointServiceName: immutable(text().optional()),
  vpcResourceConfigurationId: immutable(text().optional()),
  vpcResourceShareArn: immutable(text().optional()),
  mskClusterArn: immutable(text().optional()),
  mskAuthentication: immutable(z.enum(["SASL_IAM", "SASL_SCRAM"]).optional()),
  adopt: adoptedId(),
  deletionPolicy: deletionPolicy(),
  replacementPolicy: replacementPolicy(),
});
