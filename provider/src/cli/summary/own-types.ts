import { DEFINITIONS, type ResourceType } from "../../run/definitions";
import { OUTPUTS } from "../../program/outputs";
import { typeTokens } from "../../pulumi/type-tokens";

const TYPES = Object.keys(DEFINITIONS) as ResourceType[];

/** The types of this package by the tokens that stacks have, in both forms. */
const BY_TOKEN: ReadonlyMap<string, ResourceType> = new Map(
  TYPES.flatMap((type) => typeTokens(type).map((token) => [token, type] as const)),
);

/** The type of this package that a token names, in either form; undefined for other packages. */
export const ownType = (token: string): ResourceType | undefined => BY_TOKEN.get(token);

/** The types whose ids only one resource can have. Several resources may manage the settings of one service. */
const ADOPTABLE: ReadonlySet<ResourceType | undefined> = new Set(
  TYPES.filter((type) => (OUTPUTS[type] as readonly string[]).includes("adopt")),
);

/** What names the thing that a resource manages, in both forms; undefined where several resources may manage it. */
export function managedThing(token: string, id: unknown): string | undefined {
  const type = ownType(token);
  return ADOPTABLE.has(type) && typeof id === "string" && id !== ""
    ? `${type} ${id.toLowerCase()}`
    : undefined;
}
