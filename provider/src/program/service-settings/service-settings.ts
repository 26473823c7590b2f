// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../lifecycle/state/resource-key";
import type { DeletionPolicy } from "../argument-types";
import type { IpAccessEntryArgs, ReleaseChannel, ServiceEndpointArgs, ServiceSettingsArgs } from "./args";

/**
 * The basic details of a service that exists. Its ID is the ID of the service. `updateService` creates and
 * changes it, with the smallest additions and removals. The API has no way to read a service, so a refresh
 * keeps the last response. A program can have one ServiceSettings for each service.
 */
export class ServiceSettings extends DatapipesResource {
  /** The type token, by which policies find the resource: `validateResourceOfType(datapipes.ServiceSettings, …)`. */
  public static readonly __pulumiType = typeToken("ServiceSettings");

  /** The organization, a UUID. */
  declare public readonly organizationId: pulumi.Output<string>;
  /** The service, a UUID. */
  declare public readonly serviceId: pulumi.Output<string>;
  /** Name of the service. */
  declare public readonly name: pulumi.Output<string | undefined>;
  /** The declared entries of the access list. */
  declare public readonly ipAccessList: pulumi.Output<pulumi.Unwrap<IpAccessEntryArgs>[] | undefined>;
  /** The declared private endpoints. */
  declare public readonly privateEndpointIds: pulumi.Output<string[] | undefined>;
  /** When the service gets new releases. */
  declare public readonly releaseChannel: pulumi.Output<ReleaseChannel | undefined>;
  /** Endpoints that are turned on or off. */
  declare public readonly endpoints: pulumi.Output<pulumi.Unwrap<ServiceEndpointArgs>[] | undefined>;
  /** ID of the encryption key to rotate to. */
  declare public readonly transparentDataEncryptionKeyId: pulumi.Output<string | undefined>;
  /**
   * Whether the provider removes entries of the two lists that the program does not declare; undefined is
   * `false`.
   */
  declare public readonly exclusive: pulumi.Output<boolean | undefined>;
  /** What happens to the service when its settings are no longer declared; undefined is `"retain"`. */
  declare public readonly deletionPolicy: pulumi.Output<DeletionPolicy | undefined>;
  /** Entries of the access list that the program does not declare, as in the last response. */
  declare public readonly unmanagedIpAccessList: pulumi.Output<pulumi.Unwrap<IpAccessEntryArgs>[]>;
  /** Private endpoints that the program does not declare, as in the last response. */
  declare public readonly unmanagedPrivateEndpointIds: pulumi.Output<string[]>;
  /** The service as in the last response, under the API's names. */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  /**
   * Declares the resource.
   *
   * @param name logical name of the resource
   * @param args the service settings that the program declares
   * @param opts Pulumi's resource options, but not `import`
   */
  constructor(name: string, args: ServiceSettingsArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super("ServiceSettings", name, given, options);
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
    args: Partial<ServiceSettingsArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ): ServiceSettings {
    return new ServiceSettings(name, args, { ...opts, id: idToRead("ServiceSettings", name, id) });
  }

  /** Whether a value is such a resource, of any copy of this package. */
  public static override isInstance(value: unknown): value is ServiceSettings {
    return isResourceOfType(value, "ServiceSettings");
  }
}
