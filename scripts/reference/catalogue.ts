import { OPERATIONS } from "../../provider/src/api/operations";
import { fieldsOf, type Field } from "../../provider/src/lifecycle/comparison/fields";
import { DEFINITIONS, RESOURCE_TYPES } from "../../provider/src/run/definitions";
import { SCOPE_SETTINGS } from "../../provider/src/settings/settings";
import type { ResourceDefinition } from "../../provider/src/lifecycle/program/definition";
import type { RunContext } from "../../provider/src/resources/context";

/** A kind of resource, as the reference describes it. */
export interface Described extends Pick<ResourceDefinition, "type" | "noun" | "takeOver"> {
  readonly update?: string | undefined;
  readonly fields: readonly Field[];
  /** The outputs that mirror no field. */
  readonly computed: readonly Field[];
  /** The outputs, by name: the fields, and what the API adds. */
  readonly outputs: readonly string[];
  /** The optional inputs that the provider adds where the program gives none. */
  readonly defaulted: readonly string[];
  /** Whether the API has an operation that reads it. */
  readonly isReadable: boolean;
  /** The folder of its files, and the name of its page. */
  readonly folder: string;
}

/** The kinds of resource, in the order in which they are shown. */
export const RESOURCES: readonly Described[] = RESOURCE_TYPES.map((type) => {
  const definition: ResourceDefinition = DEFINITIONS[type]({} as RunContext);
  const { noun, takeOver, schema, secretNames } = definition;
  const update = `update${type.replace("Settings", "")}`;
  const fields = fieldsOf(schema, secretNames);
  const computed = fieldsOf(definition.outputs, secretNames);
  return {
    type,
    noun,
    update: update in OPERATIONS ? update : undefined,
    takeOver,
    fields,
    computed,
    outputs: [...fields, ...computed].map(({ name }) => name),
    defaulted: [...SCOPE_SETTINGS, ...Object.keys(definition.defaultsOf?.("") ?? {})],
    isReadable: definition.read !== undefined,
    folder: type.replace(/\B[A-Z]/g, "-$&").toLowerCase(),
  };
});
