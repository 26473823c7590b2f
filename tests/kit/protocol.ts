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

/** The paths of all undefined values: one anywhere would make the engine's serializer fail. */
export function undefinedIn(value: unknown, path = "$"): string[] {
  if (value === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => undefinedIn(member, `${path}.${name}`));
}
