import type { WireObject } from "../api/wire";
import type { Field } from "../lifecycle/comparison/fields";
import { isScopeSetting } from "../settings/settings";

/** The names of the fields that the body of a create holds; the scope is in the path. */
export const sentFields = (fields: readonly Field[]): readonly string[] =>
  fields
    .filter(({ onChange }) => onChange !== "providerOnly")
    .map(({ name }) => name)
    .filter((name) => !isScopeSetting(name));

export function createBody(fields: readonly Field[], inputs: WireObject): WireObject {
  const sent = sentFields(fields);
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => sent.includes(name)));
}
