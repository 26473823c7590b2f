import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "openapi-backend";
import { parse } from "yaml";
import type { Json, JsonObject } from "./json";
import { isObject, valueAt } from "./json";
import type { OperationId } from "./models";

/** The keywords of a schema that the simulator reads itself. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  enum?: (string | null)[];
  default?: Json;
  maxItems?: number;
  pattern?: string;
  /** What an error says of a value that does not match the pattern. */
  "x-pattern-message"?: string;
  writeOnly?: boolean;
  /** Whether some services return null for an optional field without a value. */
  "x-nulls"?: boolean;
}

/** What an operation takes and answers. */
export interface Operation {
  /** Undefined when it takes no body. */
  requestBody?: { content: { "application/json": { schema: Schema } } };
  result: Schema;
}

const document = parse(readFileSync(join(__dirname, "..", "openapi.yaml"), "utf8")) as JsonObject;

/** The fields that one direction does not have. */
type Excluded = "readOnly" | "writeOnly";

/** Inlines references and joins the fields of `allOf`, so that code reads `properties` and nothing else. */
function resolve(value: Json, excluded: Excluded): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, excluded));
  if (!isObject(value)) return value;
  if (typeof value["$ref"] === "string") {
    const { $ref, ...siblings } = value;
    const target = valueAt(document, $ref.slice("#/".length).replaceAll("/", "."));
    if (!isObject(target)) throw new Error(`openapi.yaml has no ${$ref}`);
    return resolve({ ...target, ...siblings }, excluded);
  }
  const resolved: JsonObject = {};
  for (const [key, inner] of Object.entries(value))
    // The validator knows no `unevaluatedProperties`; of joined fields both keywords say the same.
    resolved[key === "unevaluatedProperties" ? "additionalProperties" : key] = resolve(
      inner,
      key === "requestBody" ? "readOnly" : excluded,
    );
  return withFields(resolved, excluded);
}

function withFields(schema: JsonObject, excluded: Excluded): JsonObject {
  const { allOf = [], properties = {}, required = [], ...rest } = schema;
  if (!("properties" in schema)) return schema;
  const parts = (allOf as JsonObject[]).filter((part) => "properties" in part);
  const others = (allOf as JsonObject[]).filter((part) => !("properties" in part));
  const fields = Object.assign({}, ...parts.map((part) => part["properties"]), properties) as JsonObject;
  const kept = Object.entries(fields).filter(([, field]) => !isObject(field) || field[excluded] !== true);
  const names = kept.map(([name]) => name);
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    required: (required as string[]).filter((name) => names.includes(name)),
    ...(others.length > 0 && { allOf: others }),
  };
}

/** `openapi.yaml` without references: bodies have no `readOnly` fields, answers have no `writeOnly` fields. */
export const DEFINITION = {
  ...document,
  components: {},
  paths: resolve(document["paths"] ?? {}, "writeOnly"),
} as unknown as Document;

const RESULT = "responses.200.content.application/json.schema.properties.result";

/** The operations of a definition by their ids. */
export function operationsOf(definition: Document): Record<OperationId, Operation> {
  const operations: Record<string, object> = {};
  for (const path of Object.values(definition.paths as Record<string, JsonObject>))
    for (const operation of Object.values(path))
      if (isObject(operation) && typeof operation["operationId"] === "string")
        operations[operation["operationId"]] = { ...operation, result: valueAt(operation, RESULT) };
  return operations as Record<OperationId, Operation>;
}
