// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, Optional } from "../argument-types";

/** The arguments of {@link ServiceEncryptionKey}. */
export interface ServiceEncryptionKeyArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the key. */
  organizationId?: Optional<string>;
  /** The service, a UUID. Default: `datapipes:serviceId`. A change replaces the key. */
  serviceId?: Optional<string>;
  /** Id of the encryption key to rotate to. Changed in place (`updateService`). */
  transparentDataEncryptionKeyId: pulumi.Input<string>;
  /**
   * What happens to the key when it is no longer declared: the service keeps it. Kept in state, never sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
}
