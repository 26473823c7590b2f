import { fieldsOf, type Field } from "../../provider/src/lifecycle/fields";
import type { ResourceDefinition } from "../../provider/src/lifecycle/lifecycle";
import { DEFINITIONS, type ResourceType } from "../../provider/src/run/definitions";
import { SCOPE_SETTINGS } from "../../provider/src/settings/settings";
import type { ResourceContext } from "../../provider/src/resources/context";

/** What people call one resource of each kind, and the operation that changes it. */
const NAMES: Readonly<Record<ResourceType, Pick<Described, "noun" | "operation">>> = {
  Pipe: { noun: "pipe", operation: "updatePipe" },
  ReversePrivateEndpoint: { noun: "endpoint" },
  ServiceSettings: { noun: "resource", operation: "updateService" },
};

/** A kind of resource, as the reference describes it. */
export interface Described {
  /** The name of the class. */
  readonly type: string;
  /** What people call one of them. */
  readonly noun: string;
  /** The operation that changes one in place. */
  readonly operation?: string;
  readonly fields: readonly Field[];
  /** The outputs that mirror no field. */
  readonly computed: readonly Field[];
  /** The outputs, by name: the fields, and what the API adds. */
  readonly outputs: readonly string[];
  /** The optional inputs that the provider adds where the program gives none. */
  readonly defaulted: readonly string[];
  /** The folder of its files, and the name of its page. */
  readonly folder: string;
}

/** What a definition that only describes itself does not use. */
const NO_CONTEXT = {} as ResourceContext;

/** The kinds of resource, in the order in which they are shown. */
export const RESOURCES: readonly Described[] = Object.entries(DEFINITIONS).map(([type, define]) => {
  const definition: ResourceDefinition = define(NO_CONTEXT);
  const { schema, secretNames } = definition;
  const fields = fieldsOf(schema, secretNames);
  const computed = fieldsOf(definition.outputs, secretNames);
  return {
    type,
    ...NAMES[type as ResourceType],
    fields,
    computed,
    outputs: [...fields, ...computed].map(({ name }) => name),
    defaulted: [...SCOPE_SETTINGS, ...Object.keys(definition.defaultsOf?.("") ?? {})],
    folder: type.replace(/\B[A-Z]/g, "-$&").toLowerCase(),
  };
});
