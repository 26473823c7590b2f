import type { ResourceDefinition } from "../core/lifecycle";
import type { ResourceContext } from "./context";
import { pipeDefinition } from "./pipe/definition";
import { reversePrivateEndpointDefinition } from "./reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "./service-settings/definition";

/** The kinds of resource that this package offers, by the name that states hold. */
export const DEFINITIONS = {
  Pipe: pipeDefinition,
  ReversePrivateEndpoint: reversePrivateEndpointDefinition,
  ServiceSettings: serviceSettingsDefinition,
} as const satisfies Readonly<Record<string, (context: ResourceContext) => ResourceDefinition>>;

/** The name of one of them. */
export type ResourceType = keyof typeof DEFINITIONS;

/** Whether a text is such a name. */
export const isResourceType = (type: string): type is ResourceType => Object.hasOwn(DEFINITIONS, type);
