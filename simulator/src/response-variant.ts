import type { Document } from "openapi-backend";
import type { Json, JsonObject } from "./json";
import { isObject, valueAt } from "./json";
import type { ServiceBehaviour } from "./profile";
import { OMITTED_FIELDS, OMITTED_TABLE_DEFINITIONS } from "./spelling";

/** What of a behaviour changes the shape of answers, as one text; undefined when nothing does. */
export function variantOf(behaviour: ServiceBehaviour): string | undefined {
  const shaping = (["quantity", "omit", "sparse"] as const).filter((profile) => behaviour.has(profile));
  const absent = behaviour.timeFormat === "absent" ? ["absent"] : [];
  const variant = [...shaping, ...absent].join(",");
  return variant === "" ? undefined : variant;
}

const schemaPath = (path: string): string => `properties.${path.split(".").join(".properties.")}`;

/** Replaces the schema under a field's path. */
function replace(pipe: JsonObject, path: string, change: (schema: Json) => Json): void {
  const at = schemaPath(path);
  const dot = at.lastIndexOf(".");
  const owner = valueAt(pipe, at.slice(0, dot));
  const field = at.slice(dot + 1);
  if (!isObject(owner) || owner[field] === undefined) throw new Error(`openapi.yaml has no ${path}`);
  owner[field] = change(owner[field]);
}

const NULL: Json = { type: "null" };
const EMPTY_LIST: Json = { type: "array", maxItems: 0 };

function allowOmissions(pipe: JsonObject): void {
  for (const [path, how] of Object.entries(OMITTED_FIELDS)) {
    if (how === "null") replace(pipe, path, () => NULL);
    if (how === "empty list") replace(pipe, path, () => EMPTY_LIST);
  }
  if (Object.values(OMITTED_TABLE_DEFINITIONS).includes("empty list"))
    replace(pipe, "destination.tableDefinition", (schema) => ({ anyOf: [schema, EMPTY_LIST] }));
}

function requireQuantities(pipe: JsonObject): void {
  replace(pipe, "scaling.replicaCpuMillicores", () => ({ type: "string", pattern: "^[0-9]+m$" }));
  replace(pipe, "scaling.replicaMemoryGb", () => ({ type: "string", pattern: "^[0-9.]+Gi$" }));
}

function withoutTimes(pipe: JsonObject): void {
  const isTime = (field: Json): boolean => field === "createdAt" || field === "updatedAt";
  if (Array.isArray(pipe["required"])) pipe["required"] = pipe["required"].filter((field) => !isTime(field));
}

const SPARSE_PIPE: Json = {
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "state"],
  properties: { id: { type: "string", format: "uuid" }, name: { type: "string" }, state: { type: "string" } },
};

function variantPipe(schema: Json, isList: boolean, variant: readonly string[]): Json {
  // The definition shares schemas between operations; a copy by JSON shares nothing.
  const pipe = JSON.parse(JSON.stringify(schema)) as JsonObject;
  if (!isList && variant.includes("sparse")) return structuredClone(SPARSE_PIPE);
  if (variant.includes("quantity")) requireQuantities(pipe);
  if (isList && variant.includes("omit")) allowOmissions(pipe);
  if (variant.includes("absent")) withoutTimes(pipe);
  return pipe;
}

const SERVICE = "/v1/organizations/{organizationId}/services/{serviceId}";
const ENVELOPE = "responses.200.content.application/json.schema.properties";

const ANSWERS = [
  { path: "/pipes", method: "get", isList: true },
  { path: "/pipes", method: "post", isList: false },
  { path: "/pipes/{pipeId}", method: "patch", isList: false },
];

/** A copy of the definition, without references, whose answers with pipes have the shape of a variant. */
export function variantDefinition(definition: Document, variant: string): Document {
  const copy = JSON.parse(JSON.stringify(definition)) as JsonObject;
  for (const { path, method, isList } of ANSWERS) {
    const owner = valueAt(copy, `paths.${SERVICE}${path}.${method}.${ENVELOPE}${isList ? ".result" : ""}`);
    const field = isList ? "items" : "result";
    if (!isObject(owner)) throw new Error(`openapi.yaml has no answer of ${method} ${path}`);
    owner[field] = variantPipe(owner[field] ?? null, isList, variant.split(","));
  }
  return copy as unknown as Document;
}
