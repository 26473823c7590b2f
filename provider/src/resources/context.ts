import type { Client } from "../api/client";
import type { Clock } from "../api/rate-limiter";
import type { ServiceScope } from "../api/operations";
import type { WireObject } from "../api/wire";
import { SCOPE_SETTINGS } from "../config";
import type { Notes } from "../core/definition";
import type { Field } from "../core/fields";
import { ConfigurationError } from "../errors";
import { omit, type PropertyMap } from "../core/property-value";

/** What the operations of a resource need: the API, and a line to the user. */
export interface ResourceContext {
  readonly client: () => Client;
  readonly log: (line: string) => void;
  readonly clock: Clock;
  /** Notes for the other plugin processes of the run. */
  readonly notes?: Notes;
}

/** The service that a resource belongs to. `check` has seen to it that both ids are there. */
export const scopeOf = (properties: PropertyMap): ServiceScope => ({
  organizationId: idOf(properties, "organizationId"),
  serviceId: idOf(properties, "serviceId"),
});

/** What a create sends: everything but what steers the provider and what stands in the path. */
export function createBody(fields: readonly Field[], inputs: PropertyMap): WireObject {
  const local = fields.filter(({ onChange }) => onChange === "local").map(({ name }) => name);
  return omit(inputs, [...SCOPE_SETTINGS, ...local]) as WireObject;
}

function idOf(properties: PropertyMap, name: keyof ServiceScope): string {
  const id = properties[name];
  if (typeof id === "string") return id;
  throw new ConfigurationError([
    `${name} is not known. Give it as an argument, or set it with \`pulumi config set datapipes:${name} <uuid>\`.`,
  ]);
}
