import {
  isList,
  isMap,
  mapMembers,
  omit,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../comparison/property-value";

/** The member by which Pulumi's engine takes an object for a secret, an asset, an archive, a resource or an output. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The text that is a value that is not known yet. Types other than string have others. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The texts that are values that are not known yet, one for each type. */
export const UNKNOWN_TEXTS: ReadonlySet<unknown> = new Set([
  UNKNOWN_TEXT,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** A text of an answer that the engine does not take for an unknown value, and that is no ID. */
export const withoutMark = (text: string): string =>
  UNKNOWN_TEXTS.has(text) ? text.replaceAll("-", "_") : text;

export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The input of every dynamic resource that holds its provider. */
export const PROVIDER_KEY = "__provider";

/** Properties as the engine sends and receives them. */
export type Properties = Record<string, unknown>;

/** The engine's properties as neutral values: without nulls, and without those of the dynamic-provider protocol. */
export function fromEngine(properties: Readonly<Properties>): PropertyMap {
  const convert = (value: unknown): PropertyValue => {
    if (UNKNOWN_TEXTS.has(value)) return UNKNOWN;
    if (Array.isArray(value)) return value.map(convert);
    return isMap(value)
      ? mapMembers(value, (member) => (member === null ? undefined : convert(member)))
      : (value as PropertyValue);
  };
  return omit(convert(properties) as PropertyMap, [PROVIDER_KEY]);
}

/** Marks members of these names and matching texts as secret, at any depth, but nothing inside a secret. */
export function toEngine(
  map: PropertyMap,
  names: ReadonlySet<string>,
  isSecret: (text: string) => boolean = () => false,
): Properties {
  const convert = (value: PropertyValue, isInSecret: boolean): unknown => {
    if (value === UNKNOWN) return UNKNOWN_TEXT;
    if (typeof value === "string") return !isInSecret && isSecret(value) ? asSecret(value) : value;
    if (isList(value)) return value.map((element) => convert(element, isInSecret));
    return isMap(value) ? convertMembers(value, isInSecret) : value;
  };
  const convertMembers = (members: PropertyMap, isInSecret: boolean): Properties =>
    mapMembers(members, (member, name) =>
      !isInSecret && names.has(name) && member !== undefined && member !== null
        ? asSecret(convert(member, true))
        : convert(member, isInSecret),
    );
  return convertMembers(map, false);
}

/** A value that the engine encrypts in the state and masks in its output. */
export const asSecret = (value: unknown): Properties => ({ [SIGNATURE]: SECRET_SIGNATURE, value });
