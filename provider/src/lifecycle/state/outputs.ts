import { changesOfProgram, type Change } from "../comparison/changes";
import { isNotReturned, sameValue } from "../comparison/equality";
import type { FieldSchemas } from "../comparison/field-schema";
import { isReadable, leafFields, type Field } from "../comparison/fields";
import { LASTING_STATE, privateStateOf, withPrivateState, type PrivateState } from "./private-state";
import { refreshInputs, type Observation } from "./drift";
import { inDeclaredOrder } from "../comparison/declared-shape";
import {
  isList,
  isMap,
  mapOf,
  omit,
  pick,
  valueAt,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../comparison/property-value";

/** The output that holds what the API returned. */
export const observedOf = ({ observed }: PropertyMap): PropertyMap => mapOf(observed);

/** The names of the outputs that are not inputs, without `observed`, which every resource has. */
export const computedNames = (outputs: FieldSchemas): readonly string[] =>
  Object.keys(outputs).filter((name) => name !== "observed");

/** What the outputs of a type of resource depend on. */
export interface OutputDefinition {
  /** The outputs that are not inputs; one of them is `observed`. */
  readonly outputs: FieldSchemas;
  /** Those of them that depend on both the inputs and what the API returned. */
  derived?(declared: PropertyMap, current: PropertyMap): PropertyMap;
  /** Undefined if the API cannot read the resource. */
  readonly read?: unknown;
}

/** Converts between the outputs of a resource, its inputs and what the API returned. */
export class OutputShape {
  constructor(
    private readonly definition: OutputDefinition,
    private readonly fields: readonly Field[],
    /** The inputs that configuration provides; each is an output. */
    private readonly scope: readonly string[],
  ) {}

  outputs(declared: PropertyMap, current: PropertyMap, privateState: PrivateState): PropertyMap {
    const { definition, fields, scope } = this;
    const canRead = definition.read !== undefined;
    const computed = computedNames(definition.outputs);
    const observed = canRead
      ? omit(withoutDeclaredValues(fields, declared, current), ["id", ...scope, ...computed])
      : current;
    // Without a read operation there is no drift to detect, so the rest of the private state has no use.
    const stored = canRead ? privateState : pick(privateState as PropertyMap, ["key", "adopt"]);
    const derived = definition.derived?.(declared, current);
    return withPrivateState({ ...declared, ...pick(current, computed), ...derived, observed }, stored);
  }

  /** The inputs and outputs of a stored resource after a read. */
  refreshed(stored: PropertyMap, observation: Observation) {
    const privateState = privateStateOf(stored);
    const { declared: inputs, ...found } = refreshInputs(this.fields, { ...observation, privateState });
    const kept = { ...pick(privateState as PropertyMap, LASTING_STATE), ...found };
    return { inputs, outputs: this.outputs(inputs, observation.current, kept) };
  }

  declared(properties: PropertyMap): PropertyMap {
    return pick(
      properties,
      this.fields.map(({ name }) => name),
    );
  }

  changes(state: PropertyMap, inputs: PropertyMap): readonly Change[] {
    const stored = { declared: this.declared(state), observed: observedOf(state) };
    return changesOfProgram(this.fields, stored, inputs);
  }

  /** Whether a program declares the resource, and does not only read it by its id. */
  isDeclared(properties: PropertyMap): boolean {
    const fields = this.fields.filter(({ name }) => !this.scope.includes(name));
    const isGiven = ({ name }: Field): boolean => properties[name] !== undefined;
    return fields.some(isGiven) && fields.filter(({ required }) => required).every(isGiven);
  }

  /** All that the API returned at the last read. */
  lastRead(declared: PropertyMap, outputs: PropertyMap): PropertyMap {
    const observed = observedOf(outputs);
    if (this.definition.read === undefined) return observed;
    return {
      ...pick(outputs, computedNames(this.definition.outputs)),
      ...withDeclaredValues(this.fields, declared, observed),
    };
  }
}

/** Restores what the API returned: `observed` does not repeat the declared values. */
export function withDeclaredValues(
  fields: readonly Field[],
  declared: PropertyMap,
  observed: PropertyMap,
): PropertyMap {
  const restored: Record<string, PropertyValue> = { ...observed };
  for (const field of fields) {
    const { name, members } = field;
    const value = declared[name];
    const current = observed[name];
    if (!isReadable(field)) continue;
    if (members !== undefined) {
      if (isMap(value)) restored[name] = withDeclaredValues(members, value, mapOf(current));
    } else if (current === undefined && !isNotReturned(field, value)) restored[name] = value;
  }
  return restored;
}

/** What the API returned, without the values that the program declares. */
export function withoutDeclaredValues(
  fields: readonly Field[],
  declared: PropertyMap,
  current: PropertyMap,
): PropertyMap {
  const entries = Object.entries(current).flatMap(([name, value]): [string, PropertyValue][] => {
    const field = fields.find((candidate) => candidate.name === name);
    const input = declared[name];
    if (field === undefined || input === undefined || !isReadable(field)) return [[name, value]];
    if (field.members === undefined) {
      if (sameValue(field, input, value)) return [];
      // A service may return a set in any order.
      return [[name, field.unordered && isList(value) ? inDeclaredOrder(field, input, value) : value]];
    }
    if (!isMap(input) || !isMap(value)) return [[name, value]];
    const rest = withoutDeclaredValues(field.members, input, value);
    return Object.keys(rest).length === 0 ? [] : [[name, rest]];
  });
  return Object.fromEntries(entries);
}

/** The answer to an update with the old values of fields that it did not send: a refresh will detect their drift. */
export const readAfterUpdate = (
  fields: readonly Field[],
  { lastRead, current, sent }: { lastRead: PropertyMap; current: PropertyMap; sent: ReadonlySet<string> },
  declared: PropertyMap,
): PropertyMap =>
  leafFields(fields)
    .filter((field) => isReadable(field) && !sent.has(field.displayPath))
    .filter(({ path }) => valueAt(declared, path) !== undefined)
    .reduce((read, { path }) => withValueAt(read, path, valueAt(lastRead, path)), current);
