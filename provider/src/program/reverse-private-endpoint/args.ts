// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, Optional, ReplacementPolicy } from "../argument-types";

/** The arguments of every endpoint. */
interface AnyReversePrivateEndpointArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the endpoint. */
  organizationId?: Optional<string>;
  /**
   * The service that the endpoint belongs to, a UUID. Default: `datapipes:serviceId`. A change replaces the
   * endpoint.
   */
  serviceId?: Optional<string>;
  /** What the endpoint is for, at most 255 characters. A change replaces the endpoint. */
  description: pulumi.Input<string>;
  /**
   * ID of an existing endpoint, a UUID, that the resource takes over instead of creating one. The API has no
   * operation that reads an endpoint, so the provider compares nothing, sends nothing and trusts the
   * arguments. Kept in state, never sent.
   */
  adopt?: Optional<string>;
  /**
   * What happens to the endpoint when it is replaced or no longer declared. `"retain"` leaves it, and a
   * preview shows `delete[retain]`; `"delete"` sends DELETE to its path, which the API document does not
   * describe and not every service offers. With the native plugin, it also deletes the endpoint if the
   * program adopts it under another name and `--target` or `--exclude` leaves that resource out. A transform
   * that sets `"delete"` must set the option `retainOnDelete: false`, too. Kept in state, never sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
  /**
   * `"refuse"` fails the preview of a change that replaces the endpoint; `"allow"` creates a second one. Kept
   * in state, never sent.
   * @default "refuse"
   */
  replacementPolicy?: Optional<ReplacementPolicy>;
}

/** An endpoint that leads to an endpoint service. */
export interface VpcEndpointServiceArgs extends AnyReversePrivateEndpointArgs {
  /** The kind of connection. A change replaces the endpoint. */
  type: pulumi.Input<"VPC_ENDPOINT_SERVICE">;
  /** Name of the endpoint service. A change replaces the endpoint. */
  vpcEndpointServiceName?: pulumi.Input<string | null | undefined>;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceConfigurationId?: null | undefined;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceShareArn?: null | undefined;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskClusterArn?: null | undefined;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskAuthentication?: null | undefined;
}

/** An endpoint that leads to a shared resource. */
export interface VpcResourceArgs extends AnyReversePrivateEndpointArgs {
  /** The kind of connection. A change replaces the endpoint. */
  type: pulumi.Input<"VPC_RESOURCE">;
  /** Belongs to `VPC_ENDPOINT_SERVICE`. */
  vpcEndpointServiceName?: null | undefined;
  /** ID of the resource configuration. A change replaces the endpoint. */
  vpcResourceConfigurationId: pulumi.Input<string>;
  /** ARN of the share through which the resource is reached. A change replaces the endpoint. */
  vpcResourceShareArn: pulumi.Input<string>;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskClusterArn?: null | undefined;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskAuthentication?: null | undefined;
}

/** An endpoint that leads to a managed Kafka cluster. */
export interface MskMultiVpcArgs extends AnyReversePrivateEndpointArgs {
  /** The kind of connection. A change replaces the endpoint. */
  type: pulumi.Input<"MSK_MULTI_VPC">;
  /** Belongs to `VPC_ENDPOINT_SERVICE`. */
  vpcEndpointServiceName?: null | undefined;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceConfigurationId?: null | undefined;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceShareArn?: null | undefined;
  /** ARN of the cluster. A change replaces the endpoint. */
  mskClusterArn: pulumi.Input<string>;
  /** How clients authenticate to the cluster. A change replaces the endpoint. */
  mskAuthentication: pulumi.Input<"SASL_IAM" | "SASL_SCRAM">;
}

/** The arguments of {@link ReversePrivateEndpoint}. */
export type ReversePrivateEndpointArgs = VpcEndpointServiceArgs | VpcResourceArgs | MskMultiVpcArgs;
