import { SCOPE_SETTINGS } from "../../provider/src/settings/settings";
import { isUuid } from "../../provider/src/values/uuid";
import type { ResourceDefinition } from "../../provider/src/lifecycle/program/definition";
import { describeResource } from "../../provider/src/lifecycle/program/lifecycle-log";
import type { Lifecycle } from "../../provider/src/lifecycle/program/lifecycle";
import type { PropertyMap } from "../../provider/src/lifecycle/comparison/property-value";

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
      `a ${type} cannot be imported or read with \`get\`, because the API cannot read it. ${takeOver}`,
    );
  const { id, scope } = parseImportId(text);
  if ([id, ...Object.values(scope)].every((part) => typeof part === "string" && isUuid(part))) return;
  throw new Error(
    `${JSON.stringify(text)} is not a valid ID of a ${type}. Pass \`<id>\`, or \`<organizationId>/<serviceId>/<id>\` if it is in another ` +
      `service than the configured one. Each part is a UUID.`,
  );
}

/**
 * Refuses a resource of which `pulumi import` would write code that does something. Pulumi's generator for YAML
 * escapes `${` with one more `$`, but two are one escaped `$`: of a `$${x}` in the service, the program would have
 * the expression `${x}` behind it.
 * @throws Error with the field, and what to do
 */
export function checkImportedTexts({ type }: ResourceDefinition, id: string, inputs: PropertyMap): void {
  const [name] = Object.entries(inputs).find(([, value]) => JSON.stringify([value]).includes("$${")) ?? [];
  if (name === undefined) return;
  throw new Error(
    `${type} ${id} cannot be imported or read with \`get\`: its argument ${name} contains "$\${", which Pulumi YAML ` +
      'would evaluate as an expression. Declare it with the argument `adopt: "<id>"` instead.',
  );
}

/** Keeps what the option `import` named before: that it names another ID now may be a mistake. */
export function keepFormerImport(
  { context, definition }: Lifecycle,
  id: string,
  properties: PropertyMap,
  imported: string,
): void {
  context.trackSecrets(properties);
  context.warn(
    `${describeResource(definition, id, properties)} is not deleted: the option import of its resource now names ${imported}. ` +
      "It stays as it is, and Pulumi no longer manages it. " +
      `To manage it again, set import back to ${id} and run \`pulumi up\`.`,
  );
}
