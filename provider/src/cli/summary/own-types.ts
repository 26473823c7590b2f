import { partsOf } from "../../pulumi/resource-urn";
import { code } from "./markdown";
import type { ResourceDefinition } from "../../lifecycle/definition";
import { describedBy, RESOURCE_TYPES, type ResourceType } from "../../run/definitions";
import { withoutModule } from "../../pulumi/type-tokens";

/** The type of this package that a token names, in either form; undefined for other packages. */
export const ownType = (token: string): ResourceType | undefined =>
  RESOURCE_TYPES.find((type) => type === withoutModule(token));

/** What a type of this package says of itself. */
export function ownDefinition(token: string): ResourceDefinition | undefined {
  const type = ownType(token);
  return type === undefined ? undefined : describedBy(type);
}

/** What names the thing that a resource manages, in both forms; undefined where several resources may manage it. */
export function managedThing(token: string, id: unknown): string | undefined {
  const { type, deletedPart } = ownDefinition(token) ?? {};
  const isWhole = type !== undefined && deletedPart === undefined;
  return isWhole && typeof id === "string" && id !== "" ? `${type} ${id.toLowerCase()}` : undefined;
}

/** The resource as readers know it: its type, and its name in the program. */
export function resourceCode(urn: string): string {
  const { type, name } = partsOf(urn);
  return `${ownType(type) ?? code(type)} ${code(name)}`;
}

/** One or more resources of a type, as readers know them. */
export function resourcesCode(urns: readonly string[]): string {
  const [first = ""] = urns;
  if (urns.length < 2) return resourceCode(first);
  const { type } = partsOf(first);
  const own = ownType(type);
  const counted = own === "Pipe" ? `${urns.length} pipes` : `${urns.length} of ${own ?? code(type)}`;
  return `${counted}: ${urns.map((urn) => code(partsOf(urn).name)).join(", ")}`;
}
