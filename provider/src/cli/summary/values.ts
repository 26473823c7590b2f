import { Secrets } from "../../api/secrets/redaction";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import {
  isList,
  isMap,
  mapMembers,
  valueAt,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
import { SIGNATURE, UNKNOWN_TEXTS } from "../../lifecycle/protocol/engine-values";
import type { Preview } from "./preview";

/** What a summary shows in place of a secret. */
const MASK = "[secret]";

/** The secrets that the JSON contains if it was made with `--show-secrets`. */
export function secretsIn({ config, steps }: Preview): Secrets {
  const states = (steps ?? []).flatMap(({ oldState, newState }) => [oldState, newState]);
  const values = states.flatMap((state) => [state?.inputs, state?.outputs]);
  const secrets = new Secrets();
  secrets.addFrom(config, ...values, ...values.flatMap(markedSecretsIn));
  return secrets;
}

/** The values that the engine marks as secret, at any depth. The engine writes them as JSON. */
function markedSecretsIn(value: PropertyValue): readonly object[] {
  if (isList(value)) return value.flatMap(markedSecretsIn);
  if (!isMap(value)) return [];
  if (!(SIGNATURE in value)) return Object.values(value).flatMap(markedSecretsIn);
  const { plaintext } = value;
  return typeof plaintext === "string" ? [{ secret: parsed(plaintext) }] : [];
}

/** A text that is not JSON is the secret itself. */
function parsed(plaintext: string): unknown {
  try {
    return JSON.parse(plaintext);
  } catch {
    return plaintext;
  }
}

/** A value without secrets: those of secret names, and those that the engine marks. */
export function withoutSecrets(value: PropertyValue): PropertyValue {
  if (UNKNOWN_TEXTS.has(value)) return "[unknown]";
  if (isList(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  if (SIGNATURE in value) return MASK;
  return mapMembers(value, (member, name): PropertyValue =>
    SECRET_NAMES.has(name) ? MASK : withoutSecrets(member),
  );
}

/** The value at a path such as `source.kafka.topics`, `ipAccessList[1]` or `tags["a.b"]` as text. */
export const shownAt = (root: PropertyValue, path: string): string | undefined =>
  textOf(valueAtPath(root, path));

/** The value at a path. The root is without secrets: a path may lead into one. */
export function valueAtPath(root: PropertyValue, path: string): PropertyValue {
  let value = root;
  for (const [, quoted, index, name] of path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)) {
    if (value === MASK) return MASK;
    const member = quoted?.replaceAll(/\\(.)/g, "$1") ?? name ?? "";
    value = valueAt(value, [index === undefined ? member : Number(index)]);
  }
  return value;
}

/** Texts as they are, others as JSON; undefined where there is no value. */
export function textOf(value: PropertyValue): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" && value.trim() !== "" ? value : JSON.stringify(value);
}
