import { SIGNATURE, UNKNOWN_TEXT, UNKNOWN_TEXTS } from "./engine-marks";
import {
  isList,
  isMap,
  mapMembers,
  omit,
  UNKNOWN,
  type PropertyMap,
  type PropertyValue,
} from "../comparison/property-value";

export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** The input of every dynamic resource that holds its provider. */
export const PROVIDER_KEY = "__provider";

/** Properties as the engine sends and receives them. */
export type Properties = Record<string, unknown>;

/** The engine's properties as neutral values, without those of the dynamic-provider protocol. */
export function fromEngine(properties: Readonly<Properties>): PropertyMap {
  const convert = (value: unknown): PropertyValue => {
    if (UNKNOWN_TEXTS.has(value)) return UNKNOWN;
    if (Array.isArray(value)) return value.map(convert);
    return isMap(value) ? mapMembers(value, convert) : (value as PropertyValue);
  };
  return omit(convert(properties) as PropertyMap, [PROVIDER_KEY]);
}

/** Marks members of these names and matching texts as secret, at any depth, but nothing inside a secret. */
export const toEngine = (
  map: PropertyMap,
  names: ReadonlySet<string>,
  isSecret: (text: string) => boolean = () => false,
): Properties =>
  mapMembers(map, (member, name) =>
    names.has(name) && member !== undefined && member !== null
      ? asSecret(valueToEngine(member, new Set(), () => false))
      : valueToEngine(member, names, isSecret),
  );

function valueToEngine(
  value: PropertyValue,
  names: ReadonlySet<string>,
  isSecret: (text: string) => boolean,
): unknown {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (typeof value === "string") return isSecret(value) ? asSecret(value) : value;
  if (isList(value)) return value.map((element) => valueToEngine(element, names, isSecret));
  return isMap(value) ? toEngine(value, names, isSecret) : value;
}

/** A value that the engine encrypts in the state and masks in its output. */
export const asSecret = (value: unknown): Properties => ({ [SIGNATURE]: SECRET_SIGNATURE, value });
