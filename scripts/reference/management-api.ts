import { isDeepStrictEqual } from "node:util";
import { DEFINITION, operationsOf, type Schema } from "../../simulator/src/definition";
import { code, page, plain, table } from "./markdown";

export const MANAGEMENT_API_PAGE = "docs/reference/management-api.md";

const SERVICE = "/v1/organizations/{organizationId}/services/{serviceId}";

const SCHEMAS = operationsOf(DEFINITION);

type OperationId = keyof typeof SCHEMAS;

type PathItem = Readonly<Record<string, { readonly operationId?: OperationId; readonly summary?: string }>>;

/** The operations in the order of the document. */
const OPERATIONS = Object.entries(DEFINITION.paths as Readonly<Record<string, PathItem>>).flatMap(
  ([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id, summary = "" }]) =>
      id === undefined
        ? []
        : [{ id, request: `${method.toUpperCase()} ${path.replace(SERVICE, "…")}`, summary }],
    ),
);

/** The page of the API that the provider speaks. */
export const managementApiPage = (): string =>
  page(
    "# Management API",
    "<!-- Made by `npm run reference` from simulator/openapi.yaml. Changes go there. -->",
    "The API document: what the provider sends, and what the [simulator](../../simulator/README.md) accepts and " +
      "returns. [openapi.yaml](../../simulator/openapi.yaml) has the same for tools.",
    "Requests authenticate with HTTP Basic: the ID of an API key, and its secret. The field `result` of a response has " +
      "what is listed here; `status` and `requestId` are beside it. A failure has `status`, `error` and `requestId`. " +
      `Each path begins with ${code(SERVICE)}. Defaults are those of the simulator.`,
    table(
      ["Operation", "Request", "Description"],
      OPERATIONS.map(({ id, request, summary }) => [linkTo(id), code(request), plain(summary)]),
    ),
    ...OPERATIONS.flatMap(({ id }) => [`## ${id}`, ...requestOf(id), ...resultOf(id)]),
  );

const linkTo = (id: OperationId): string => `[${id}](#${id.toLowerCase()})`;

/** What a table describes. A request that changes something has no defaults: what it leaves out stays as it is. */
type Role = "create" | "change" | "result";

function requestOf(id: OperationId): readonly string[] {
  const { body } = SCHEMAS[id];
  const role = id.startsWith("create") ? "create" : "change";
  return body === undefined ? [] : [fieldTable("Field of the request", body, role)];
}

function resultOf(id: OperationId): readonly string[] {
  const { result } = SCHEMAS[id];
  const fields = elementOf(result);
  if (fields.properties === undefined) return ["The result is an empty object."];
  const isSame = (other: OperationId): boolean => isDeepStrictEqual(elementOf(SCHEMAS[other].result), fields);
  const { id: first = id } = OPERATIONS.find((other) => isSame(other.id)) ?? {};
  if (first !== id) return [`The result has the fields of ${linkTo(first)}.`];
  const head = result.items === undefined ? "Field of the result" : "Field of each result";
  return [fieldTable(head, fields, "result")];
}

const elementOf = (schema: Schema): Schema => schema.items ?? schema;

const fieldTable = (head: string, schema: Schema, role: Role): string =>
  table([head, "Type", "Notes"], rowsOf(schema, role, ""));

/** The fields of an object, each followed by its own. */
function rowsOf({ properties = {}, required = [] }: Schema, role: Role, parent: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${parent}${name}`;
    const word = role === "result" ? "always" : "required";
    const notes = [...(required.includes(name) ? [word] : []), ...notesOn(schema, role)];
    return [
      [code(path), plain(typeOf(schema)), notes.join("; ")],
      ...rowsOf(elementOf(schema), role, `${path}${schema.items === undefined ? "." : "[]."}`),
    ];
  });
}

function typeOf({ type = "", items, enum: values }: Schema): string {
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  return [type].flat().join(" | ");
}

function notesOn(schema: Schema, role: Role): readonly string[] {
  const { default: byDefault, oneOf = [], writeOnly, "x-pattern-message": pattern } = schema;
  const kinds = oneOf.flatMap(({ required = [] }) => required.map(code));
  const hasDefault = role === "create" && byDefault !== undefined && typeof byDefault !== "object";
  return [
    ...(writeOnly === true ? ["never returned"] : []),
    ...(kinds.length > 0 ? [`one of ${kinds.join(", ")}`] : []),
    ...(pattern === undefined ? [] : [pattern]),
    ...(hasDefault ? [`default ${code(JSON.stringify(byDefault))}`] : []),
  ];
}
