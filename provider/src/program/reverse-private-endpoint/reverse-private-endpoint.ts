// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../lifecycle/state/resource-key";
import type { DeletionPolicy, ReplacementPolicy } from "../argument-types";
import type { ReversePrivateEndpointArgs } from "./args";

/**
 * A private connection through which pipes reach a source inside a private network. The API can only create
 * it (`createReversePrivateEndpoint`): a change of any field replaces it, and a refresh keeps the outputs.
 * `dnsNames` and `endpointId` keep the values of that response, even if the service sets them later.
 */
export class ReversePrivateEndpoint extends DatapipesResource {
  /** The type token, by which policies find the resource: `validateResourceOfType(datapipes.ReversePrivateEndpoint, …)`. */
  public static readonly __pulumiType = typeToken("ReversePrivateEndpoint");

  /** The organization, a UUID. */
  declare public readonly organizationId: pulumi.Output<string>;
  /** The service that the endpoint belongs to, a UUID. */
  declare public readonly serviceId: pulumi.Output<string>;
  /** What the endpoint is for, at most 255 characters. */
  declare public readonly description: pulumi.Output<string>;
  /** The kind of connection. */
  declare public readonly type: pulumi.Output<"VPC_ENDPOINT_SERVICE" | "VPC_RESOURCE" | "MSK_MULTI_VPC">;
  /** Name of the endpoint service. */
  declare public readonly vpcEndpointServiceName: pulumi.Output<string | undefined>;
  /** ID of the resource configuration. */
  declare public readonly vpcResourceConfigurationId: pulumi.Output<string | undefined>;
  /** ARN of the share through which the resource is reached. */
  declare public readonly vpcResourceShareArn: pulumi.Output<string | undefined>;
  /** ARN of the cluster. */
  declare public readonly mskClusterArn: pulumi.Output<string | undefined>;
  /** How clients authenticate to the cluster. */
  declare public readonly mskAuthentication: pulumi.Output<"SASL_IAM" | "SASL_SCRAM" | undefined>;
  /** ID of the adopted endpoint; undefined if the resource created its endpoint. */
  declare public readonly adopt: pulumi.Output<string | undefined>;
  /** What happens to the endpoint when it is replaced or no longer declared; undefined is `"retain"`. */
  declare public readonly deletionPolicy: pulumi.Output<DeletionPolicy | undefined>;
  /** What happens when a change replaces the endpoint; undefined is `"refuse"`. */
  declare public readonly replacementPolicy: pulumi.Output<ReplacementPolicy | undefined>;
  /**
   * ID of the endpoint at the cloud, as the API stated it when the endpoint was created; empty if it stated
   * none, or after `adopt`.
   */
  declare public readonly endpointId: pulumi.Output<string>;
  /**
   * Names under which the endpoint is reached, as far as the API stated them when the endpoint was created;
   * empty after `adopt`.
   */
  declare public readonly dnsNames: pulumi.Output<string[]>;
  /**
   * Private names under which the endpoint is reached, as far as the API stated them then; empty after
   * `adopt`.
   */
  declare public readonly privateDnsNames: pulumi.Output<string[]>;
  /**
   * Status when the endpoint was created, such as `Ready`; `Unknown` after `adopt`. The API document lists no
   * other values.
   */
  declare public readonly status: pulumi.Output<string>;
  /** The endpoint as the API returned it when it was created; empty after `adopt`. */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  /**
   * Declares the resource.
   *
   * @param name logical name of the resource
   * @param args the reverse private endpoint that the program declares
   * @param opts Pulumi's resource options, but not `import`
   */
  constructor(name: string, args: ReversePrivateEndpointArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super("ReversePrivateEndpoint", name, given, options);
  }

  /**
   * Reads what exists and is not managed by this stack.
   *
   * @param name logical name in this program
   * @param id the id
   * @param args what is known of the resource: the API has no way to read it, so the outputs are these arguments
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
      id: idToRead("ReversePrivateEndpoint", name, id),
    });
  }

  /** Whether a value is such a resource, of any copy of this package. */
  public static override isInstance(value: unknown): value is ReversePrivateEndpoint {
    return isResourceOfType(value, "ReversePrivateEndpoint");
  }
}
