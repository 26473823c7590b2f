import type { Client } from "../api/client";
import type { Clock } from "../api/rate-limiter";
import type { ServiceScope } from "../api/operations";
import type { WireObject } from "../api/wire";
import { SCOPE_SETTINGS } from "../config";
import type { Log, RunFlags } from "../core/definition";
import type { Field } from "../core/fields";
import { ConfigurationError } from "../errors";
import { omit, type PropertyMap } from "../core/property-value";

/** What the operations of a resource need: the API, and a line to the user. */
export interface ResourceContext extends Log {
  readonly client: () => Client;
  readonly clock: Clock;
  /** Notes for the other plugin processes of the run. */
  readonly runFlags?: RunFlags;
}

/** The service that a resource belongs to. Only a read by id comes without a check, and may lack the ids. */
export function scopeOf({ organizationId, serviceId }: PropertyMap): ServiceScope {
  if (typeof organizationId === "string" && typeof serviceId === "string")
    return { organizationId, serviceId };
  const missing = typeof organizationId === "string" ? "serviceId" : "organizationId";
  throw new ConfigurationError([
    `${missing} is not known. Give it as an argument, or set it with \`pulumi config set datapipes:${missing} <uuid>\`.`,
  ]);
}

/** What a create sends: everything but what steers the provider and what stands in the path. */
export function createBody(fields: readonly Field[], inputs: PropertyMap): WireObject {
  const local = fields.filter(({ onChange }) => onChange === "providerOnly").map(({ name }) => name);
  return omit(inputs, [...SCOPE_SETTINGS, ...local]) as WireObject;
}
