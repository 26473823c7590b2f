// `npm run reference` makes this file from the schema of the resource and the comments in it.
import type * as pulumi from "@pulumi/pulumi";
import type { DeletionPolicy, Optional } from "../argument-types";

/** Who may connect to the service. `source` and `description` together are its identity. */
export interface IpAccessEntryArgs {
  /** Address or range of addresses. */
  source: pulumi.Input<string>;
  /** What the entry is for. A change removes the old entry and adds the new one in one request. */
  description?: Optional<string>;
}

/** When a service gets new releases. */
export type ReleaseChannel = "slow" | "default" | "fast";

/** An endpoint of the service that is turned on or off. */
export interface ServiceEndpointArgs {
  /** Protocol of the endpoint, such as `mysql`. The API document lists no other values. */
  protocol: pulumi.Input<string>;
  /** Whether the endpoint is on. Changed in place (`updateService`). */
  enabled: pulumi.Input<boolean>;
}

/** The arguments of {@link ServiceSettings}. */
export interface ServiceSettingsArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. A change replaces the resource. */
  organizationId?: Optional<string>;
  /** The service, a UUID. Default: `datapipes:serviceId`. A change replaces the resource. */
  serviceId?: Optional<string>;
  /**
   * Name of the service: letters, digits and white space, at most 50 characters. Changed in place
   * (`updateService`).
   */
  name?: Optional<string>;
  /**
   * Who may connect; a set. The provider adds declared entries, removes those that are no longer declared,
   * and leaves other entries alone unless `exclusive` is set. Changed in place (`updateService`).
   */
  ipAccessList?: Optional<pulumi.Input<IpAccessEntryArgs>[]>;
  /**
   * IDs of private endpoints that may connect; a set, treated like `ipAccessList`. Changed in place
   * (`updateService`).
   */
  privateEndpointIds?: Optional<pulumi.Input<string>[]>;
  /** When the service gets new releases; for production services only. Changed in place (`updateService`). */
  releaseChannel?: Optional<ReleaseChannel>;
  /**
   * Endpoints that are turned on or off; a set by protocol. Changed in place, changed ones only
   * (`updateService`).
   */
  endpoints?: Optional<pulumi.Input<ServiceEndpointArgs>[]>;
  /** ID of the encryption key to rotate to. Changed in place (`updateService`). */
  transparentDataEncryptionKeyId?: Optional<string>;
  /**
   * Whether the provider removes entries of the two lists that the program does not declare. It removes
   * nothing while the service lists a declared entry in a format that the provider does not know. Kept in
   * state, never sent.
   * @default false
   */
  exclusive?: Optional<boolean>;
  /**
   * What happens to the service when its settings are no longer declared. `"retain"` leaves it as it is, and
   * a preview shows `delete[retain]`; `"delete"` removes the declared entries of the two lists. A transform
   * that sets `"delete"` must set the option `retainOnDelete: false`, too. Kept in state, never sent.
   * @default "retain"
   */
  deletionPolicy?: Optional<DeletionPolicy>;
}
