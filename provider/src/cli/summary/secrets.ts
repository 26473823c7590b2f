import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { SIGNATURE, UNKNOWN_TEXTS } from "../../pulumi/engine-marks";
import { isList, isMap, mapMembers, type PropertyValue } from "../../lifecycle/property-value";

/** What a summary shows in place of a secret. */
export const MASK = "[secret]";

/** Values that are nested deeper are not shown: no value of the API is, and functions that call themselves have an end. */
const MAX_DEPTH = 100;

export const isMarkedSecret = (value: PropertyValue): boolean => isMap(value) && SIGNATURE in value;

/** The values that the engine marks as secret, at any depth, each with a name under which redaction finds all secrets in it. */
export function markedSecretsIn(root: PropertyValue): readonly object[] {
  const found: object[] = [];
  // Without recursion: the JSON may be nested as deeply as it is long.
  const values: PropertyValue[] = [root];
  for (const value of values) {
    if (isMarkedSecret(value)) found.push(...secretOf(value));
    else if (typeof value === "object" && value !== null)
      for (const member of Object.values<PropertyValue>(value)) values.push(member);
  }
  return found;
}

function secretOf(marked: PropertyValue): readonly object[] {
  const { plaintext } = isMap(marked) ? marked : {};
  if (typeof plaintext !== "string") return [];
  const secret = parsed(plaintext);
  return [typeof secret === "string" ? { connectionString: secret } : { secret }];
}

/** A value without secrets: those of secret names, and those that the engine marks. */
export function withoutSecrets(value: PropertyValue, depth = 0): PropertyValue {
  if (UNKNOWN_TEXTS.has(value)) return "[unknown]";
  if (typeof value !== "object" || value === null) return value;
  if (isMarkedSecret(value)) return MASK;
  if (depth > MAX_DEPTH) return "…";
  if (isList(value)) return value.map((element) => withoutSecrets(element, depth + 1));
  return mapMembers(value, (member, name): PropertyValue =>
    SECRET_NAMES.has(name) ? MASK : withoutSecrets(member, depth + 1),
  );
}

/** The engine writes the value of a secret as JSON. */
function parsed(plaintext: string): unknown {
  try {
    return JSON.parse(plaintext);
  } catch {
    return plaintext;
  }
}
