import type { Client } from "../api/client";
import type { Clock } from "../api/http/clock";
import type { ServiceScope } from "../settings/settings";
import type { LifecycleContext } from "../lifecycle/program/definition";
import type { PropertyMap } from "../lifecycle/comparison/property-value";
import type { PipeLists } from "./pipe/list";

/** What a run gives its resources: what their lifecycle needs, the API and the clock. */
export interface RunContext extends LifecycleContext {
  readonly client: () => Client;
  readonly clock: Clock;
  /** The pipes of each service, which resources and data functions share. */
  readonly lists: PipeLists;
}

/** The service that a resource belongs to. Both IDs are known after a check, and in a state. */
export function scopeOf({ organizationId, serviceId }: PropertyMap): ServiceScope {
  if (typeof organizationId === "string" && typeof serviceId === "string")
    return { organizationId, serviceId };
  throw new Error("organizationId or serviceId of the resource is missing.");
}
