import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../../core/datapipes-resource";
import { typeToken } from "../../type-tokens";
import type { DeletionPolicy, Optional, ReplacementPolicy } from "../argument-types";
import { registration } from "../registration";

/** The arguments of all types of endpoints. */
interface AnyReversePrivateEndpointArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the endpoint. */
  organizationId?: Optional<string>;
  /** The service that the endpoint belongs to, a UUID. Default: `datapipes:serviceId`. A change replaces the endpoint. */
  serviceId?: Optional<string>;
  /** What the endpoint is for, at most 255 characters. A change replaces the endpoint. */
  description: pulumi.Input<string>;
  /**
   * Id of an existing endpoint, a UUID, that the resource takes over instead of creating one. The API has no operation that reads an
   * endpoint, so the provider compares nothing, sends nothing and trusts the arguments. Kept in state, never sent.
   */
  adopt?: Optional<string>;
  /**
   * What happens to the endpoint when it is replaced or no longer declared. `"retain"` leaves it, and a preview shows
   * `delete[retain]`; `"delete"` sends DELETE to its path, which the API document does not describe and not every service offers. With
   * the native plugin, it also deletes the endpoint if the program adopts it under another name and `--target` or `--exclude` leaves
   * that resource out. A transform that sets `"delete"` must set the option `retainOnDelete: false`, too. Kept in state, never sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
  /**
   * `"refuse"` fails the preview of a change that replaces the endpoint; `"allow"` creates a second one. Kept in state, never sent.
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
  /** Id of the resource configuration. A change replaces the endpoint. */
  vpcResourceConfigurationId: pulumi.Input<string>;
  /** ARN of the share through which the resource is reached. A change replaces the endpoint. */
  vpcResourceShareArn: pulumi.Input<string>;
  /** Belongs to `VPC_ENDPOINT_SERVICE`. */
  vpcEndpointServiceName?: null | undefined;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskClusterArn?: null | undefined;
  /** Belongs to `MSK_MULTI_VPC`. */
  mskAuthentication?: null | undefined;
}

/** An endpoint that leads to a managed Kafka cluster. */
export interface MskMultiVpcArgs extends AnyReversePrivateEndpointArgs {
  /** The kind of connection. A change replaces the endpoint. */
  type: pulumi.Input<"MSK_MULTI_VPC">;
  /** ARN of the cluster. A change replaces the endpoint. */
  mskClusterArn: pulumi.Input<string>;
  /** How clients log in at the cluster. A change replaces the endpoint. */
  mskAuthentication: pulumi.Input<"SASL_IAM" | "SASL_SCRAM">;
  /** Belongs to `VPC_ENDPOINT_SERVICE`. */
  vpcEndpointServiceName?: null | undefined;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceConfigurationId?: null | undefined;
  /** Belongs to `VPC_RESOURCE`. */
  vpcResourceShareArn?: null | undefined;
}

/** The arguments of a {@link ReversePrivateEndpoint}, by its type. */
export type ReversePrivateEndpointArgs = VpcEndpointServiceArgs | VpcResourceArgs | MskMultiVpcArgs;

const TYPE = "ReversePrivateEndpoint";

/**
 * A private connection through which pipes reach a source inside a private network.
 *
 * The API can only create it (`createReversePrivateEndpoint`): a change of any field replaces it, and a refresh keeps the
 * outputs. `dnsNames` and `endpointId` stay as that answer had them, also where the service sets them later.
 */
export class ReversePrivateEndpoint extends DatapipesResource {
  /** The type token, by which policies find endpoints: `validateResourceOfType(datapipes.ReversePrivateEndpoint, …)`. */
  public static readonly __pulumiType = typeToken(TYPE);

  /** The organization, a UUID. */
  declare public readonly organizationId: pulumi.Output<string>;
  /** The service that the endpoint belongs to, a UUID. */
  declare public readonly serviceId: pulumi.Output<string>;
  /** What the endpoint is for. */
  declare public readonly description: pulumi.Output<string>;
  /** The kind of connection. */
  declare public readonly type: pulumi.Output<"VPC_ENDPOINT_SERVICE" | "VPC_RESOURCE" | "MSK_MULTI_VPC">;
  /** Name of the endpoint service. */
  declare public readonly vpcEndpointServiceName: pulumi.Output<string | undefined>;
  /** Id of the resource configuration. */
  declare public readonly vpcResourceConfigurationId: pulumi.Output<string | undefined>;
  /** ARN of the share through which the resource is reached. */
  declare public readonly vpcResourceShareArn: pulumi.Output<string | undefined>;
  /** ARN of the Kafka cluster. */
  declare public readonly mskClusterArn: pulumi.Output<string | undefined>;
  /** How clients log in at the Kafka cluster. */
  declare public readonly mskAuthentication: pulumi.Output<"SASL_IAM" | "SASL_SCRAM" | undefined>;
  /** Id of the adopted endpoint; undefined if the resource created its endpoint. */
  declare public readonly adopt: pulumi.Output<string | undefined>;
  /** What happens to the endpoint when the program no longer declares it; undefined is `"retain"`. */
  declare public readonly deletionPolicy: pulumi.Output<DeletionPolicy | undefined>;
  /** What happens when a change replaces the endpoint; undefined is `"refuse"`. */
  declare public readonly replacementPolicy: pulumi.Output<ReplacementPolicy | undefined>;
  /** Id of the endpoint at the cloud, as the API stated it when the endpoint was created; empty if it stated none, or after `adopt`. */
  declare public readonly endpointId: pulumi.Output<string>;
  /** Names under which the endpoint is reached, as far as the API stated them when the endpoint was created; empty after `adopt`. */
  declare public readonly dnsNames: pulumi.Output<string[]>;
  /** Private names under which the endpoint is reached, as far as the API stated them then; empty after `adopt`. */
  declare public readonly privateDnsNames: pulumi.Output<string[]>;
  /** Status when the endpoint was created, such as `Ready`; `Unknown` after `adopt`. The API document lists no other values. */
  declare public readonly status: pulumi.Output<string>;
  /** The endpoint as the API returned it when it was created; empty after `adopt`. */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  /**
   * Declares a reverse private endpoint.
   *
   * @param name logical name of the resource
   * @param args what the endpoint is to be
   * @param opts options of the resource; all of Pulumi's work
   */
  constructor(name: string, args: ReversePrivateEndpointArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super(...registration(TYPE, name, given, options));
  }

  /**
   * An endpoint that exists and is not managed by this stack. The API has no way to read one, so its outputs are the
   * arguments given here.
   *
   * @param name logical name in this program
   * @param id id of the endpoint
   * @param args what is known of the endpoint
   * @param opts options of the resource
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: Partial<ReversePrivateEndpointArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ): ReversePrivateEndpoint {
    return new ReversePrivateEndpoint(name, args as ReversePrivateEndpointArgs, {
      ...opts,
      id: idToRead(TYPE, name, id),
    });
  }

  /** Whether a value is a reverse private endpoint of this package, of whichever copy of it. */
  public static override isInstance(value: unknown): value is ReversePrivateEndpoint {
    return isResourceOfType(value, TYPE);
  }
}
