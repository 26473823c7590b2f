import { SCOPE_SETTINGS } from "../../provider/src/settings";
import type { PropertyMap } from "../../provider/src/core/property-value";

/** Reads the id of an import: `<id>`, or `<organizationId>/<serviceId>/<id>` for another service than the configured one. */
export function readPipeId(text: string): { readonly id: string; readonly scope: PropertyMap } {
  const parts = text.split("/");
  const id = parts.at(-1) ?? "";
  if (parts.length !== SCOPE_SETTINGS.length + 1) return { id: text, scope: {} };
  return { id, scope: Object.fromEntries(SCOPE_SETTINGS.map((name, place) => [name, parts[place] ?? ""])) };
}
