import type { Client } from "../api/client";
import type { Clock } from "../api/http/clock";
import { defectOf } from "../settings/config";
import type { ServiceScope } from "../settings/settings";
import type { LifecycleContext } from "../lifecycle/definition";
import { ConfigurationError } from "../messages/errors";
import type { PropertyMap } from "../lifecycle/property-value";
import type { PipeLists } from "./pipe/list";

/** What a run gives its resources: what their lifecycle needs, the API and the clock. */
export interface RunContext extends LifecycleContext {
  readonly client: () => Client;
  readonly clock: Clock;
  /** The pipes of each service, which resources and data functions share. */
  readonly lists: PipeLists;
}

/** The service that a resource belongs to. Only a read by ID comes without a check, and may lack the IDs. */
export function scopeOf({ organizationId, serviceId }: PropertyMap): ServiceScope {
  if (typeof organizationId === "string" && typeof serviceId === "string")
    return { organizationId, serviceId };
  const missing = typeof organizationId === "string" ? "serviceId" : "organizationId";
  throw new ConfigurationError([defectOf(missing).text]);
}
