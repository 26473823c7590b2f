// `npm run reference` makes this file from the schemas of the arguments of data functions.
import type * as pulumi from "@pulumi/pulumi";
import type { Optional } from "../argument-types";

/** The service that a data function asks. */
export interface ServiceArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId?: string | undefined;
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId?: string | undefined;
}

/** The service that a data function asks; for the Output form. */
export interface ServiceOutputArgs {
  /** The organization, a UUID. Default: `datapipes:organizationId`. */
  organizationId?: Optional<string>;
  /** The service, a UUID. Default: `datapipes:serviceId`. */
  serviceId?: Optional<string>;
}

/** Which pipe's settings. */
export interface GetPipeSettingsArgs extends ServiceArgs {
  /** ID of the pipe. */
  pipeId: string;
}

/** Which pipe's settings; for the Output form. */
export interface GetPipeSettingsOutputArgs extends ServiceOutputArgs {
  /** ID of the pipe. */
  pipeId: pulumi.Input<string>;
}

/** Which pipe: by its id or by its name, one of the two. */
export interface GetPipeArgs extends ServiceArgs {
  /** ID of the pipe. */
  id?: string | undefined;
  /** Name of the pipe. */
  name?: string | undefined;
}

/** Which pipe: by its id or by its name, one of the two; for the Output form. */
export interface GetPipeOutputArgs extends ServiceOutputArgs {
  /** ID of the pipe. */
  id?: Optional<string>;
  /** Name of the pipe. */
  name?: Optional<string>;
}
