import type { ValidationResult } from "openapi-backend";
import type { Schema } from "./definition";

/** An error as Ajv reports it. */
type SchemaError = NonNullable<ValidationResult["errors"]>[number];

/** A list of a hundred thousand wrong items must not make an answer of megabytes. */
const MAX_MESSAGES = 500;

/** `/requestBody/fieldMappings/0/sourceField` becomes `fieldMappings[0].sourceField`. */
function dottedPath(instancePath: string, field?: string): string {
  // The first two are empty and the part of the request or answer.
  const segments = instancePath.split("/").slice(2);
  if (field !== undefined) segments.push(field);
  let path = "";
  for (const segment of segments) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (/^\d+$/.test(name) && path !== "") path += `[${name}]`;
    else path += path === "" ? name : `.${name}`;
  }
  return path;
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  "date-time": "must be an ISO 8601 date-time",
  "minute-date-time": "must be a date and time that exist",
};

type Message = (params: Readonly<Record<string, unknown>>, schema: Schema) => string;

/** The message of an error by its keyword. */
const MESSAGES: Readonly<Record<string, Message>> = {
  additionalProperties: () => "is not a field of this operation",
  required: () => "is required",
  type: ({ type }) => `must be ${[type].flat().join(" or ")}`,
  enum: (_params, schema) =>
    `must be one of ${schema.enum?.filter((value) => value !== null).join(", ") ?? ""}`,
  format: ({ format }) => FORMATS[String(format)] ?? "is malformed",
  pattern: (_params, schema) => schema["x-pattern-message"] ?? "is malformed",
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  oneOf: (_params, { oneOf = [] }) =>
    `must have exactly one of ${oneOf.flatMap(({ required = [] }) => required).join(", ")}`,
  not: () => "is required and must not be null",
};

/** Errors that only repeat another one: the branches of `oneOf`, and `if` whose `then` has failed. */
const isConsequence = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === "if" || schemaPath.includes("/oneOf/");

function describe({
  keyword,
  instancePath,
  params,
  parentSchema,
  message = "is wrong",
}: SchemaError): string {
  const { additionalProperty, missingProperty = additionalProperty } = params as Record<string, string>;
  const field = dottedPath(instancePath, missingProperty);
  const text = MESSAGES[keyword]?.(params, parentSchema as Schema) ?? message;
  return `${field === "" ? "the body" : field} ${text}`;
}

/** One message per field, each beginning with the field's dotted path. No value of the request is repeated. */
export function describeErrors(errors: readonly SchemaError[]): string[] {
  const messages = new Set(errors.filter((error) => !isConsequence(error)).map(describe));
  const shown = [...messages].slice(0, MAX_MESSAGES);
  const rest = messages.size - shown.length;
  return rest > 0 ? [...shown, `and ${rest} more`] : shown;
}
