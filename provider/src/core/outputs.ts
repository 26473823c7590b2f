import type { ResourceDefinition } from "./definition";
import type { Field } from "./fields";
import { withPrivateState, type PrivateState } from "./private-state";
import { isMap, omit, pick, type PropertyMap } from "./property-value";
import { withoutDeclaredValues, withDeclaredValues } from "./statement";

/** The output that holds what the API states, as far as the outputs have it. */
export const observedOf = ({ observed }: PropertyMap): PropertyMap => (isMap(observed) ? observed : {});

/** How the outputs of a resource are made of what is declared and what the API states, and read again. */
export class OutputShape {
  readonly #names: readonly string[];

  constructor(
    private readonly definition: ResourceDefinition,
    private readonly fields: readonly Field[],
    /** The arguments that configuration gives: outputs of their own. */
    private readonly scope: readonly string[],
  ) {
    this.#names = fields.map(({ name }) => name);
  }

  outputs(declared: PropertyMap, stated: PropertyMap, memory: PrivateState): PropertyMap {
    const { definition, fields, scope } = this;
    const { computed } = definition;
    const observed = definition.hasReadOperation
      ? omit(withoutDeclaredValues(fields, declared, stated), ["id", ...scope, ...computed])
      : stated;
    const derived = definition.derived?.(declared, stated);
    // What cannot be read is never compared, so nothing has to be known of its last write.
    const { key, adopt } = memory;
    const kept = definition.hasReadOperation
      ? memory
      : { ...(key !== undefined && { key }), ...(adopt !== undefined && { adopt }) };
    return withPrivateState({ ...declared, ...pick(stated, computed), ...derived, observed }, kept);
  }

  /** What is declared, of outputs or inputs. */
  declared(properties: PropertyMap): PropertyMap {
    return pick(properties, this.#names);
  }

  /** Whether the properties are those of a resource that a program declares, and not of one that it only asks for. */
  isDeclared(properties: PropertyMap): boolean {
    const fields = this.fields.filter(({ name }) => !this.scope.includes(name));
    const isGiven = ({ name }: Field): boolean => properties[name] !== undefined;
    return fields.some(isGiven) && fields.filter(({ required }) => required).every(isGiven);
  }

  /** What the API stated the last time, in full. */
  stated(declared: PropertyMap, outputs: PropertyMap): PropertyMap {
    const observed = observedOf(outputs);
    if (!this.definition.hasReadOperation) return observed;
    return {
      ...pick(outputs, this.definition.computed),
      ...withDeclaredValues(this.fields, declared, observed),
    };
  }
}
