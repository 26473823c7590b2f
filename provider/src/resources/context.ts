import type { Client } from "../api/client";
import type { Clock } from "../api/http/clock";
import type { ServiceScope } from "../settings/settings";
import type { WireObject } from "../api/wire";
import type { LifecycleContext } from "../lifecycle/definition";
import type { Field } from "../lifecycle/fields";
import { isScopeSetting } from "../settings/settings";
import { ConfigurationError } from "../messages/errors";
import type { PropertyMap } from "../lifecycle/property-value";

/** What a run gives its resources: what their lifecycle needs, the API and the clock. */
export interface RunContext extends LifecycleContext {
  readonly client: () => Client;
  readonly clock: Clock;
}

/** The service that a resource belongs to. Only a read by id comes without a check, and may lack the ids. */
export function scopeOf({ organizationId, serviceId }: PropertyMap): ServiceScope {
  if (typeof organizationId === "string" && typeof serviceId === "string")
    return { organizationId, serviceId };
  const missing = typeof organizationId === "string" ? "serviceId" : "organizationId";
  throw new ConfigurationError([
    `${missing} is missing. Pass it as an argument, or set it with \`pulumi config set datapipes:${missing} <uuid>\`.`,
  ]);
}

/** The names of the fields that the body of a create holds; the scope is in the path. */
export const sentFields = (fields: readonly Field[]): readonly string[] =>
  fields
    .filter(({ onChange }) => onChange !== "providerOnly")
    .map(({ name }) => name)
    .filter((name) => !isScopeSetting(name));

export function createBody(fields: readonly Field[], inputs: WireObject): WireObject {
  const sent = sentFields(fields);
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => sent.includes(name)));
}
