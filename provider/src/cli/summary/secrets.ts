import { SIGNATURE } from "../../engine-marks";
import { isList, isMap, type PropertyValue } from "../../core/property-value";

/** Whether the engine marks a value as secret. */
export const isMarkedSecret = (value: PropertyValue): boolean => isMap(value) && SIGNATURE in value;

/** The values that the engine marks as secret, at any depth, each with a name under which redaction finds all secrets in it. */
export function markedSecretsIn(value: PropertyValue): readonly object[] {
  if (isList(value)) return value.flatMap(markedSecretsIn);
  if (!isMap(value)) return [];
  const { plaintext } = value;
  if (!isMarkedSecret(value)) return Object.values(value).flatMap(markedSecretsIn);
  if (typeof plaintext !== "string") return [];
  const secret = parsed(plaintext);
  return [typeof secret === "string" ? { connectionString: secret } : { secret }];
}

/** The engine writes the value of a secret as JSON. */
function parsed(plaintext: string): unknown {
  try {
    return JSON.parse(plaintext);
  } catch {
    return plaintext;
  }
}
