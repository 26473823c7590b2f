import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "openapi-backend";
import { load } from "js-yaml";
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

/** The schemas of an operation. */
export interface Operation {
  /** Undefined without a body. */
  body: Schema | undefined;
  result: Schema;
}

const document = load(readFileSync(join(__dirname, "..", "openapi.yaml"), "utf8")) as JsonObject;

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

/** A schema with the fields of `allOf`, and without the fields that are excluded. */
function withFields(schema: JsonObject, excluded: Excluded): JsonObject {
  if (!isObject(schema["properties"])) return schema;
  const { allOf = [], ...own } = schema;
  const isFields = (part: JsonObject): boolean => "properties" in part;
  const parts = [...(allOf as JsonObject[]).filter(isFields), own];
  const conditions = (allOf as JsonObject[]).filter((part) => !isFields(part));
  const properties = Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(part["properties"] as JsonObject))
      .filter(([, field]) => !isObject(field) || field[excluded] !== true),
  );
  const required = parts.flatMap((part) => (part["required"] ?? []) as string[]);
  return {
    ...own,
    properties,
    required: required.filter((name) => name in properties),
    ...(conditions.length > 0 && { allOf: conditions }),
  };
}

/** `openapi.yaml` without references: bodies have no `readOnly` fields, answers have no `writeOnly` fields. */
export const DEFINITION = {
  ...document,
  components: {},
  paths: resolve(document["paths"] ?? {}, "writeOnly"),
} as unknown as Document;

const BODY = "requestBody.content.application/json.schema";
const RESULT = "responses.200.content.application/json.schema.properties.result";

/** The operations of a definition by their ids. */
export function operationsOf(definition: Document): Record<OperationId, Operation> {
  const operations: Record<string, object> = {};
  for (const path of Object.values(definition.paths as Record<string, JsonObject>))
    for (const operation of Object.values(path))
      if (isObject(operation) && typeof operation["operationId"] === "string")
        operations[operation["operationId"]] = {
          body: valueAt(operation, BODY),
          result: valueAt(operation, RESULT),
        };
  return operations as Record<OperationId, Operation>;
}
