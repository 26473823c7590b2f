import { isSecret, undefinedIn } from "../protocol";

export type Properties = Record<string, unknown>;

const isObject = (value: unknown): value is Properties => typeof value === "object" && value !== null;

function replaced(value: unknown, secret: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => replaced(element, secret));
  if (!isObject(value)) return value;
  if (isSecret(value)) return secret(replaced(value.value, secret));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, secret)]));
}

/** The engine's copy of what the plugin returned: secrets are unwrapped. */
export function received(value: object): Properties {
  // The engine's serializer fails on undefined.
  const broken = undefinedIn(value);
  if (broken.length > 0) throw new Error(`The plugin returned undefined at ${broken.join(", ")}.`);
  return replaced(value, (inner) => inner) as Properties;
}

export const readable = (value: object): string => JSON.stringify(replaced(value, () => "[secret]"));
