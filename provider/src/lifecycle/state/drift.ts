import { isNotReturned, sameValue } from "../comparison/equality";
import { inDeclaredShape } from "../comparison/declared-shape";
import { isReadable, leafFields, type Field } from "../comparison/fields";
import { wasSent, type PrivateState } from "./private-state";
import {
  valueAt,
  withoutNulls,
  withValueAt,
  type PropertyMap,
  type PropertyValue,
} from "../comparison/property-value";

/** What a refresh compares: the inputs in the state, and what the API returned at the last read and now. */
export interface Observation {
  readonly declared: PropertyMap;
  readonly lastRead: PropertyMap;
  readonly current: PropertyMap;
  readonly privateState?: PrivateState;
}

/**
 * Updates the declared inputs to the current values of the API, except for those that it only formats differently.
 * `omitted` are the declared fields that it accepts but does not return, `drifted` those with updated values.
 */
export function refreshInputs(fields: readonly Field[], observation: Observation) {
  let { declared } = observation;
  const omitted: string[] = [];
  const drifted: string[] = [];
  for (const field of leafFields(fields).filter(isReadable)) {
    const value = valueAt(declared, field.path);
    if (value === undefined) continue;
    const drift = driftOf(field, value, observation);
    if (drift === "omitted") omitted.push(field.displayPath);
    else if (drift !== "none") {
      declared = withValueAt(declared, field.path, drift.current);
      drifted.push(field.displayPath);
    }
  }
  return { declared, omitted, drifted };
}

type Drift = "none" | "omitted" | { readonly current: PropertyValue };

function driftOf(field: Field, declared: PropertyValue, observation: Observation): Drift {
  const { lastRead, privateState = {} } = observation;
  const shaped = (values: PropertyMap = {}): PropertyValue =>
    inDeclaredShape(field, declared, valueAt(values, field.path));
  const returned = valueAt(observation.current, field.path);
  if (sameValue(field, declared, returned)) return "none";
  const current = inDeclaredShape(field, declared, returned);
  if (sameValue(field, declared, current)) return "none";
  const isImmutable = field.onChange === "replace";
  // The API cannot change such a field, so a response without it means nothing.
  if (isImmutable && isNotReturned(field, returned)) return "none";
  const isMissing = current === undefined;
  if (isMissing && privateState.omitted?.includes(field.displayPath)) return "omitted";
  if (sameValue(field, shaped(lastRead), current)) return "none";
  // The first read after a write shows how the service formats the value.
  if (isImmutable && privateState.written) return "none";
  if (wasSent(privateState, field) && sameValue(field, shaped(privateState.former), current))
    return isMissing ? "omitted" : "none";
  return { current };
}

/** The declared inputs with the current values of the API in their place. */
export const currentInputs = (
  fields: readonly Field[],
  declared: PropertyMap,
  current: PropertyMap,
): PropertyMap =>
  leafFields(fields).reduce((inputs, field) => {
    const value = valueAt(declared, field.path);
    if (value === undefined || field.onChange === "providerOnly" || field.onChange === "sentAlong")
      return inputs;
    const returned = field.writeOnly ? undefined : valueAt(current, field.path);
    return withValueAt(inputs, field.path, inDeclaredShape(field, value, returned));
  }, declared);

/** The inputs that the API returns, without secrets: `pulumi import` writes inputs into a program. */
export const importedInputs = (fields: readonly Field[], current: PropertyMap): PropertyMap =>
  leafFields(fields)
    .filter(({ secret }) => !secret)
    .reduce<PropertyMap>(
      (inputs, { path }) => withValueAt(inputs, path, withoutNulls(valueAt(current, path)) ?? undefined),
      {},
    );
