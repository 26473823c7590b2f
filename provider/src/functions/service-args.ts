import type { Optional } from "../resources/argument-types";

/** The service that a data function asks. */
export interface ServiceArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId?: string | undefined;
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId?: string | undefined;
}

/** The service that the Output form of a data function asks. */
export interface ServiceOutputArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId?: Optional<string>;
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId?: Optional<string>;
}
