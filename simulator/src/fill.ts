import type { Schema } from "./definition";
import type { Json } from "./json";
import { isObject } from "./json";

/** The value of an absent field; undefined leaves it absent. */
type Missing = (name: string, field: Schema, owner: Schema) => Json | undefined;

/** A copy of a value with its absent fields, at any depth. */
function fill(value: Json, schema: Schema, missing: Missing): Json {
  if (Array.isArray(value)) return value.map((item) => fill(item, schema.items ?? {}, missing));
  if (!isObject(value)) return value;
  const filled = { ...value };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const inner = filled[name] === undefined ? missing(name, field, schema) : filled[name];
    if (inner !== undefined) filled[name] = fill(inner, field, missing);
  }
  return filled;
}

/** A copy with the defaults of its schema. */
export const withDefaults = (value: Json, schema: Schema): Json =>
  fill(value, schema, (_name, field) => field.default);

const isNullable: (...field: Parameters<Missing>) => boolean = (name, { type = [] }, owner) =>
  type.includes("null") || (owner["x-nulls"] === true && owner.required?.includes(name) !== true);

/** A copy with null for the optional fields that have no value, as some services answer. */
export const withNulls = (value: Json, schema: Schema): Json =>
  fill(value, schema, (...field) => (isNullable(...field) ? null : undefined));
