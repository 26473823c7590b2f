import type { ValidationResult } from "openapi-backend";

/** An error as Ajv reports it. */
type SchemaError = NonNullable<ValidationResult["errors"]>[number];

/** A list of a hundred thousand wrong items must not make an answer of megabytes. */
const MAX_MESSAGES = 500;

/** `/requestBody/fieldMappings/0/sourceField` becomes `fieldMappings[0].sourceField`. */
function dottedPath(instancePath: string, field?: string): string {
  // The first two are the empty one before the slash and the part of the request.
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

const typeName = (type: unknown): string => (Array.isArray(type) ? type.join(" or ") : String(type));

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  "date-time": "must be an ISO 8601 date-time",
  "minute-date-time": "must be a date and time that exist",
};

const PATTERNS: Readonly<Record<string, string>> = {
  "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$": "must have the form YYYY-MM-DDTHH:MM",
  "^[A-Za-z0-9\\s]*$": "must be alphanumeric with whitespace",
};

type Params = Record<string, unknown>;

/** The names of a `oneOf` whose schemas require a field each. */
const alternatives = (oneOf: unknown): string =>
  (oneOf as { required: string[] }[]).flatMap(({ required }) => required).join(", ");

type Message = [field: string, text: string];

/** The field and the message of an error, by keyword. */
const MESSAGES: Readonly<Record<string, (path: string, params: Params, schema: unknown) => Message>> = {
  additionalProperties: (path, { additionalProperty }) => [
    dottedPath(path, String(additionalProperty)),
    "is not a field of this operation",
  ],
  required: (path, { missingProperty }) => [dottedPath(path, String(missingProperty)), "is required"],
  type: (path, { type }) => [dottedPath(path), `must be ${typeName(type)}`],
  enum: (path, { allowedValues }) => [
    dottedPath(path),
    `must be one of ${(allowedValues as (string | null)[]).filter((value) => value !== null).join(", ")}`,
  ],
  format: (path, { format }) => [dottedPath(path), FORMATS[String(format)] ?? "is malformed"],
  pattern: (path, { pattern }) => [dottedPath(path), PATTERNS[String(pattern)] ?? "is malformed"],
  maxLength: (path, { limit }) => [dottedPath(path), `must have at most ${String(limit)} characters`],
  oneOf: (path, _params, schema) => [dottedPath(path), `must have exactly one of ${alternatives(schema)}`],
  not: (path) => [dottedPath(path), "is required and must not be null"],
};

/** Errors that only repeat another one: the branches of `oneOf`, and `if` whose `then` has failed. */
const isConsequence = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === "if" || schemaPath.includes("/oneOf/");

function describe({ keyword, instancePath, params, schema, message }: SchemaError): string {
  const [field, text] = MESSAGES[keyword]?.(instancePath, params as Params, schema) ?? [
    dottedPath(instancePath),
    message ?? "is wrong",
  ];
  return `${field === "" ? "the body" : field} ${text}`;
}

/** One message per field, each beginning with the field's dotted path. No value of the request is repeated. */
export function describeErrors(errors: readonly SchemaError[]): string[] {
  const messages = new Set(errors.filter((error) => !isConsequence(error)).map(describe));
  const shown = [...messages].slice(0, MAX_MESSAGES);
  const rest = messages.size - shown.length;
  return rest > 0 ? [...shown, `and ${rest} more`] : shown;
}
