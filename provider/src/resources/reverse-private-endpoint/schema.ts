import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { atMost, immutable, list, oneOf, optional, text } from "../../lifecycle/comparison/field-schema";
import { fieldsOf } from "../../lifecycle/comparison/fields";
import { adoptedId, deletionPolicy, observedAnswer, replacementPolicy, scopeId } from "../schema-types";

/** The types of endpoints, and the fields that belong to one of them. */
export const FIELDS_BY_TYPE = {
  /** An endpoint that leads to an endpoint service. */
  VPC_ENDPOINT_SERVICE: { vpcEndpointServiceName: "optional" },
  /** An endpoint that leads to a shared resource. */
  VPC_RESOURCE: { vpcResourceConfigurationId: "required", vpcResourceShareArn: "required" },
  /** An endpoint that leads to a managed Kafka cluster. */
  MSK_MULTI_VPC: { mskClusterArn: "required", mskAuthentication: "required" },
} as const;

const TYPES = Object.keys(FIELDS_BY_TYPE) as (keyof typeof FIELDS_BY_TYPE)[];

/**
 * A private connection through which pipes reach a source inside a private network.
 *
 * The API can only create it (`createReversePrivateEndpoint`): a change of any field replaces it, and a refresh keeps
 * the outputs. `dnsNames` and `endpointId` keep the values of that response, even if the service sets them later.
 */
export const reversePrivateEndpointSchema = {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId: scopeId,
  /** The service that the endpoint belongs to, a UUID. Default: `datapipes:serviceId`. */
  serviceId: scopeId,
  /** What the endpoint is for, at most 255 characters. */
  description: immutable(atMost(255, text)),
  /** The kind of connection. */
  type: immutable(oneOf(TYPES)),
  /** Name of the endpoint service. */
  vpcEndpointServiceName: immutable(optional(text)),
  /** ID of the resource configuration. */
  vpcResourceConfigurationId: immutable(optional(text)),
  /** ARN of the share through which the resource is reached. */
  vpcResourceShareArn: immutable(optional(text)),
  /** ARN of the cluster. */
  mskClusterArn: immutable(optional(text)),
  /** How clients authenticate to the cluster. */
  mskAuthentication: immutable(optional(oneOf(["SASL_IAM", "SASL_SCRAM"]))),
  /**
   * ID of an existing endpoint, a UUID, that the resource takes over instead of creating one. The API has no
   * operation that reads an endpoint, so the provider compares nothing, sends nothing and trusts the arguments.
   * @output ID of the adopted endpoint; undefined if the resource created its endpoint.
   */
  adopt: adoptedId,
  /**
   * What happens to the endpoint when it is replaced or no longer declared. `"retain"` leaves it, and a
   * preview shows `delete[retain]`; `"delete"` sends DELETE to its path, which the API document does not
   * describe and not every service offers. With the native plugin, it also deletes the endpoint if the
   * program adopts it under another name and `--target` or `--exclude` leaves that resource out. A transform
   * that sets `"delete"` must set the option `retainOnDelete: false`, too.
   * @default "retain"
   */
  deletionPolicy: deletionPolicy,
  /**
   * `"refuse"` fails the preview of a change that replaces the endpoint; `"allow"` creates a second one.
   * @default "refuse"
   * @output What happens when a change replaces the endpoint; undefined is `"refuse"`.
   */
  replacementPolicy: replacementPolicy,
};

/** The outputs of an endpoint that the program does not declare. */
export const reversePrivateEndpointOutputs = {
  /**
   * ID of the endpoint at the cloud, as the API stated it when the endpoint was created; empty if it stated
   * none, or after `adopt`.
   */
  endpointId: text,
  /**
   * Names under which the endpoint is reached, as far as the API stated them when the endpoint was created;
   * empty after `adopt`.
   */
  dnsNames: list(text),
  /** Private names under which the endpoint is reached, as far as the API stated them then; empty after `adopt`. */
  privateDnsNames: list(text),
  /**
   * Status when the endpoint was created, such as `Ready`; `Unknown` after `adopt`. The API document lists no
   * other values.
   */
  status: text,
  /** The endpoint as the API returned it when it was created; empty after `adopt`. */
  observed: observedAnswer,
};

/** The same with their metadata. */
export const endpointFields = fieldsOf(reversePrivateEndpointSchema, SECRET_NAMES);
