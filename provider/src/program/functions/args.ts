import type * as pulumi from "@pulumi/pulumi";
import type { Optional } from "../argument-types";

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

/** Which pipe: by its id or by its name, one of the two. */
export interface GetPipeArgs extends ServiceArgs {
  /** Id of the pipe. */
  id?: string | undefined;
  /** Name of the pipe. */
  name?: string | undefined;
}

/** Which pipe, for the Output form: by its id or by its name, one of the two. */
export interface GetPipeOutputArgs extends ServiceOutputArgs {
  /** Id of the pipe. */
  id?: Optional<string>;
  /** Name of the pipe. */
  name?: Optional<string>;
}

/** Which pipe's settings. */
export interface GetPipeSettingsArgs extends ServiceArgs {
  /** Id of the pipe. */
  pipeId: string;
}

/** Which pipe's settings, for the Output form. */
export interface GetPipeSettingsOutputArgs extends ServiceOutputArgs {
  /** Id of the pipe. */
  pipeId: pulumi.Input<string>;
}
