import type { WireObject } from "../../api/wire";
import { SCOPE_SETTINGS } from "../../config";
import { leafFields } from "../../core/fields";
import {
  isMap,
  mapMembers,
  pick,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../core/property-value";
import { pipeFields } from "./schema";

/** The outputs of a pipe that the program does not declare. */
export const COMPUTED = ["state", "createdAt", "updatedAt"] as const;

/** A pipe as an answer, or the state, has it: any part may be missing, or of a type that no document says. */
export interface ObservedPipe extends PropertyMap {
  readonly name?: PropertyValue;
  readonly source?: PropertyValue;
  readonly destination?: PropertyValue;
  readonly state?: PropertyValue;
}

/** The parts of a pipe that every complete answer has. */
const PARTS = [
  ...COMPUTED,
  ...pipeFields
    .filter(
      ({ name, onChange }) =>
        onChange !== "providerOnly" && !(SCOPE_SETTINGS as readonly string[]).includes(name),
    )
    .map(({ name }) => name),
];

/**
 * The pipe as it is stored: nulls are absent, and a request-only field that a server echoes is dropped. A part that an answer
 * leaves out altogether is as it was before: a summary of a pipe does not say that its source is gone.
 */
export function observed(pipe: WireObject, before: PropertyMap = {}): ObservedPipe {
  const known: ObservedPipe = { ...pick(before, PARTS), ...withoutNulls(pipe) };
  const { source } = known;
  if (!isMap(source)) return known;
  return { ...known, source: withoutRequestOnly(source) };
}

/** By their names, at any depth: a kind of source that this package does not know has secrets of the same names. */
const REQUEST_ONLY = leafFields(pipeFields.filter(({ name }) => name === "source"))
  .filter(({ writeOnly }) => writeOnly)
  .map(({ name }) => name);

const withoutRequestOnly = (value: PropertyValue): PropertyValue => {
  if (!isMap(value)) return value;
  return mapMembers(value, (member, name) =>
    REQUEST_ONLY.includes(name) ? undefined : withoutRequestOnly(member),
  );
};
