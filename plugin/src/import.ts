import { SCOPE_SETTINGS } from "../../provider/src/settings/settings";
import { isUuid } from "../../provider/src/values/uuid";
import type { ResourceDefinition } from "../../provider/src/lifecycle/definition";
import { formatPath, type PropertyMap } from "../../provider/src/lifecycle/property-value";
import { pathOfText } from "../../provider/src/lifecycle/text-path";

interface ImportId {
  readonly id: string;
  /** The organization and the service, if the id names them. */
  readonly scope: PropertyMap;
}

/** Reads an id: `<id>`, or `<organizationId>/<serviceId>/<id>` for another service than the configured one. */
export function parseImportId(text: string): ImportId {
  const parts = text.split("/");
  const id = parts.at(-1) ?? "";
  if (parts.length !== SCOPE_SETTINGS.length + 1) return { id: text, scope: {} };
  return { id, scope: Object.fromEntries(SCOPE_SETTINGS.map((name, place) => [name, parts[place] ?? ""])) };
}

/**
 * Refuses an import that cannot work. The engine reads a resource for `get` in the same way, if the program gives no
 * values of it.
 * @throws Error with the reason, and what to do
 */
export function checkImport(definition: ResourceDefinition, text: string): void {
  const { type, takeOver } = definition;
  if (definition.read === undefined)
    throw new Error(
      `a ${type} cannot be imported or read with \`get\`, because the API has no operation that reads it. ${takeOver}`,
    );
  const { id, scope } = parseImportId(text);
  if ([id, ...Object.values(scope)].every((part) => typeof part === "string" && isUuid(part))) return;
  throw new Error(
    `${JSON.stringify(text)} is not the id of a ${type}. Pass \`<id>\`, or \`<organizationId>/<serviceId>/<id>\` if it is in another ` +
      `service than the configured one; each of them is a UUID.`,
  );
}

/**
 * Refuses a resource of which `pulumi import` would write code that does something. Pulumi's generator for YAML
 * escapes `${` with one more `$`, but two are one escaped `$`: of a `$${x}` in the service, the program would have
 * the expression `${x}` behind it.
 * @throws Error with the field, and what to do
 */
export function checkImportedTexts({ type }: ResourceDefinition, id: string, inputs: PropertyMap): void {
  const path = pathOfText(inputs, (text) => text.includes("$${"));
  if (path === undefined) return;
  throw new Error(
    `${type} ${id} cannot be imported or read with \`get\`: its field ${formatPath(path)} contains "$\${", which Pulumi YAML ` +
      'would evaluate as an expression. Declare it with the argument `adopt: "<id>"` instead.',
  );
}
