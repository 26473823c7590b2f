/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [field: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Bodies of the API have about ten levels; functions that call themselves for each level can take some thousand. */
export const MAX_LEVELS = 100;

/** Whether a value has more levels of objects and arrays than any body of the API. */
export function isTooDeep(value: unknown): boolean {
  const isContainer = (inner: unknown): inner is object => typeof inner === "object" && inner !== null;
  let level = [value].filter(isContainer);
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels === MAX_LEVELS) return true;
    level = level.flatMap((container): unknown[] => Object.values(container)).filter(isContainer);
  }
  return false;
}

/** JSON merge patch (RFC 7396): null deletes a field, objects merge, everything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    // JSON can have this name as a field; assigning it would change the prototype.
    if (field === "__proto__") continue;
    if (value === null) Reflect.deleteProperty(merged, field);
    else merged[field] = mergePatch(merged[field], value);
  }
  return merged;
}

/** The value under a dotted path, or undefined. */
export function valueAt(root: Json, path: string): Json | undefined {
  let value: Json | undefined = root;
  for (const field of path.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[field];
  }
  return value;
}

/** Fields sorted at every depth, so that equal values are equal texts. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_field, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
