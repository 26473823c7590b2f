import type * as pulumi from "@pulumi/pulumi";
import { DatapipesResource, idToRead, isResourceOfType } from "../datapipes-resource";
import { typeToken } from "../../pulumi/type-tokens";
import { registration } from "../registration";

// generated: imports

import type { DeletionPolicy } from "../argument-types";
import type { ServiceEncryptionKeyArgs } from "./args";

// end of generated

const TYPE = "ServiceEncryptionKey";

/** The encryption key of a service that exists. Its id is the service's id. */
export class ServiceEncryptionKey extends DatapipesResource {
  /** The type token, by which policies find keys: `validateResourceOfType(datapipes.ServiceEncryptionKey, …)`. */
  public static readonly __pulumiType = typeToken(TYPE);

  // generated: outputs

  /** The organization, a UUID. */
  declare public readonly organizationId: pulumi.Output<string>;
  /** The service, a UUID. */
  declare public readonly serviceId: pulumi.Output<string>;
  /** Id of the encryption key to rotate to. */
  declare public readonly transparentDataEncryptionKeyId: pulumi.Output<string>;
  /** What happens to the key when it is no longer declared; undefined is `"retain"`. */
  declare public readonly deletionPolicy: pulumi.Output<DeletionPolicy | undefined>;
  /** The service as the last answer had it, under the API's names. */
  declare public readonly observed: pulumi.Output<Record<string, unknown>>;

  // end of generated

  /**
   * Declares the encryption key of a service.
   *
   * @param name logical name of the resource
   * @param args which key the service is to have
   * @param opts options of the resource; all of Pulumi's work
   */
  constructor(name: string, args: ServiceEncryptionKeyArgs, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, given?: object | null, options?: pulumi.CustomResourceOptions | null) {
    super(...registration(TYPE, name, given, options));
  }

  /**
   * A key that is not managed by this stack. The API has no way to read it, so the outputs are the arguments given here.
   *
   * @param name logical name in this program
   * @param id id of the service
   * @param args what is known of the key
   * @param opts options of the resource
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    args: Partial<ServiceEncryptionKeyArgs> = {},
    opts?: pulumi.CustomResourceOptions,
  ): ServiceEncryptionKey {
    return new ServiceEncryptionKey(name, args as ServiceEncryptionKeyArgs, {
      ...opts,
      id: idToRead(TYPE, name, id),
    });
  }

  /** Whether a value is a key of this package, of whichever copy of it. */
  public static override isInstance(value: unknown): value is ServiceEncryptionKey {
    return isResourceOfType(value, TYPE);
  }
}
