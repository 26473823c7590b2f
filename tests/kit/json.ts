export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A copy with the value at a dotted path replaced, or removed by `undefined`; elements are counted from 0. */
export function withValue(args: JsonObject, path: string, value: Json | undefined): JsonObject {
  return replacedAt(args, path.split("."), value) as JsonObject;
}

export const withValues = (args: JsonObject, values: Record<string, Json | undefined>): JsonObject =>
  Object.entries(values).reduce((copy, [path, value]) => withValue(copy, path, value), args);

export const mapValues = <T, R>(record: Record<string, T>, change: (value: T, name: string) => R) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

export function replacedAt(old: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(old)) {
    const elements: unknown[] = [...(old as readonly unknown[])];
    elements[Number(name)] = replacedAt(elements[Number(name)], rest, value);
    return elements;
  }
  const members = typeof old === "object" && old !== null ? (old as Record<string, unknown>) : {};
  const { [name]: member, ...others } = members;
  const replaced = replacedAt(member, rest, value);
  return replaced === undefined ? others : { ...members, [name]: replaced };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The markers of the engine's protocol, written without the SDK. */
export const UNKNOWN_MARKER = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SECRET_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";

export interface Secret {
  readonly value: unknown;
}

export const secretMarker = (value: unknown) => ({ [SECRET_KEY]: SECRET_MARK, value });

export const isSecret = (value: object): value is Secret =>
  (value as Record<string, unknown>)[SECRET_KEY] === SECRET_MARK;

/** A copy with other values in the place of its secrets. */
export const withSecrets = (value: object, replace: (secret: Secret) => unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === "object" && member !== null && isSecret(member) ? replace(member) : member,
    ),
  );

/** The JSON text of a value, without its secrets. */
export const readable = (value: object): string => JSON.stringify(withSecrets(value, () => "[secret]"));
