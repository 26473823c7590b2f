import type { WireObject } from "../api/wire";
import type { Field } from "../lifecycle/comparison/fields";
import { pick } from "../lifecycle/comparison/property-value";
import { isScopeSetting } from "../settings/settings";

/** The names of the fields that the body of a create holds; the scope is in the path. */
export const sentFields = (fields: readonly Field[]): readonly string[] =>
  fields
    .filter(({ name, onChange }) => onChange !== "providerOnly" && !isScopeSetting(name))
    .map(({ name }) => name);

/** The inputs of a create are known. */
export const createBody = (fields: readonly Field[], inputs: WireObject): WireObject =>
  pick(inputs, sentFields(fields)) as WireObject;
