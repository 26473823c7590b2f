import type { Document } from "openapi-backend";
import type { Schema } from "./definition";
import { DEFINITION, operationsOf } from "./definition";
import { OMITTED_FIELDS, OMITTED_TABLE_DEFINITIONS, SPARSE_FIELDS, TIME_FIELDS } from "./pipe-format";
import type { ServiceBehaviour } from "./profile";

/** What of a behaviour changes the shape of answers, as one text; undefined when nothing does. */
export function variantOf(behaviour: ServiceBehaviour): string | undefined {
  const shaping = (["quantity", "omit", "sparse"] as const).filter((profile) => behaviour.has(profile));
  const absent = behaviour.timeFormat === "absent" ? ["absent"] : [];
  const variant = [...shaping, ...absent].join(",");
  return variant === "" ? undefined : variant;
}

/** Changes the schema of a field, in place. */
function change(pipe: Schema, path: string, to: (schema: Schema) => Schema): void {
  const names = path.split(".");
  const field = names.pop() ?? "";
  const owner = names.reduce<Schema | undefined>((schema, name) => schema?.properties?.[name], pipe);
  const schema = owner?.properties?.[field];
  if (schema === undefined) throw new Error(`openapi.yaml has no ${path}`);
  Object.assign(owner?.properties ?? {}, { [field]: to(schema) });
}

function allowOmissions(pipe: Schema): void {
  for (const [path, how] of Object.entries(OMITTED_FIELDS)) {
    if (how === "null") change(pipe, path, () => ({ type: "null" }));
    if (how === "empty list") change(pipe, path, () => ({ type: "array", maxItems: 0 }));
  }
  if (Object.values(OMITTED_TABLE_DEFINITIONS).includes("empty list"))
    change(pipe, "destination.tableDefinition", (schema) => ({
      ...schema,
      type: ["object", "array"],
      maxItems: 0,
    }));
}

/** A number as JSON writes it: control can give a pipe one that createPipe refuses under this profile. */
const NUMBER = "^-?[0-9.]+(e[+-][0-9]+)?";

function requireQuantities(pipe: Schema): void {
  change(pipe, "scaling.replicaCpuMillicores", () => ({ type: "string", pattern: `${NUMBER}m$` }));
  change(pipe, "scaling.replicaMemoryGb", () => ({ type: "string", pattern: `${NUMBER}Gi$` }));
}

/** Leaves only some fields, in place. */
function keepFields(pipe: Schema, isKept: (name: string) => boolean): void {
  pipe.properties = Object.fromEntries(
    Object.entries(pipe.properties ?? {}).filter(([name]) => isKept(name)),
  );
  pipe.required = (pipe.required ?? []).filter(isKept);
}

/** The definition with the shape that answers with pipes have in a variant. */
export function variantDefinition(variant: string): Document {
  const definition = structuredClone(DEFINITION);
  const { listPipes, createPipe, updatePipe } = operationsOf(definition);
  const parts = variant.split(",");
  for (const pipe of [listPipes.result.items ?? {}, createPipe.result, updatePipe.result]) {
    const isList = pipe === listPipes.result.items;
    if (parts.includes("quantity")) requireQuantities(pipe);
    if (isList && parts.includes("omit")) allowOmissions(pipe);
    if (parts.includes("absent")) keepFields(pipe, (name) => !TIME_FIELDS.includes(name));
    if (!isList && parts.includes("sparse")) keepFields(pipe, (name) => SPARSE_FIELDS.includes(name));
  }
  return definition;
}
