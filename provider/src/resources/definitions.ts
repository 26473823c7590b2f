import type { ResourceDefinition } from "../core/lifecycle";
import type { ResourceContext } from "./context";
import { pipeDefinition } from "./pipe/definition";
import { reversePrivateEndpointDefinition } from "./reverse-private-endpoint/definition";
import { serviceSettingsDefinition } from "./service-settings/definition";

/** The resources of this package, by the name that states hold. */
export const DEFINITIONS = {
  Pipe: pipeDefinition,
  ReversePrivateEndpoint: reversePrivateEndpointDefinition,
  ServiceSettings: serviceSettingsDefinition,
} as const satisfies Readonly<Record<string, (context: ResourceContext) => ResourceDefinition>>;

export type ResourceType = keyof typeof DEFINITIONS;

export const isResourceType = (type: string): type is ResourceType => Object.hasOwn(DEFINITIONS, type);
