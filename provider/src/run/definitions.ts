import type { ResourceDefinition } from "../lifecycle/program/lifecycle";
import type { RunContext } from "../resources/context";
import { pipeDefinition } from "../resources/pipe/pipe";
import { reversePrivateEndpointDefinition } from "../resources/reverse-private-endpoint/definition";
import { ownMember } from "../values/own-member";
import { VERSION } from "./version";
import { serviceSettingsDefinition } from "../resources/service-settings/definition";

/** Definitions by the name that states hold. */
export type Definitions = Readonly<Record<string, (context: RunContext) => ResourceDefinition>>;

export const DEFINITIONS = {
  Pipe: pipeDefinition,
  ReversePrivateEndpoint: reversePrivateEndpointDefinition,
  ServiceSettings: serviceSettingsDefinition,
} as const satisfies Definitions;

export type ResourceType = keyof typeof DEFINITIONS;

export const RESOURCE_TYPES = Object.keys(DEFINITIONS) as ResourceType[];

export function requireDefinition(type: string, definitions: Definitions = DEFINITIONS): Definitions[string] {
  const definition = ownMember(definitions, type);
  if (definition !== undefined) return definition;
  throw new Error(
    `pulumi-datapipes ${VERSION} has no resource type ${JSON.stringify(type)}. ` +
      "Update the package: the stack may come from a newer version.",
  );
}
