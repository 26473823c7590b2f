import { leafFields } from "../../lifecycle/fields";
import { computedNames } from "../../lifecycle/outputs";
import {
  isMap,
  mapMembers,
  pick,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
import { sentFields } from "../body";
import { pipeFields, pipeOutputs } from "./schema";

/**
 * A pipe in an answer, a body or the state: any member may be missing or of another type than the API document says.
 */
export interface ObservedPipe extends PropertyMap {
  readonly name?: PropertyValue;
  readonly source?: PropertyValue;
  readonly destination?: PropertyValue;
  readonly state?: PropertyValue;
  readonly createdAt?: PropertyValue;
}

export interface ListedPipe extends ObservedPipe {
  readonly id: string;
}

/** A pipe of the program as messages name it. */
export const pipeNamed = (name: unknown): string =>
  typeof name === "string" ? `pipe ${JSON.stringify(name)}` : "a pipe whose name is not known yet";

/** A pipe of the service as messages name it. */
export const nameOf = (id: string, { name }: ObservedPipe): string =>
  typeof name === "string" ? `pipe ${JSON.stringify(name)} (${id})` : `pipe ${id}`;

/** The members of a complete answer: neither the scope nor fields that only the provider uses. */
const PARTS = [...computedNames(pipeOutputs), ...sentFields(pipeFields)];

/**
 * The pipe as the state holds it: without nulls, and without a request-only field that a server echoes. A part that
 * the answer leaves out is as it was before: a summary of a pipe does not say that its source is gone.
 */
export function observed(pipe: PropertyMap, lastRead: PropertyMap = {}): ObservedPipe {
  const known: ObservedPipe = { ...pick(lastRead, PARTS), ...withoutNulls(pipe) };
  return isMap(known.source) ? { ...known, source: withoutRequestOnly(known.source) } : known;
}

/** By their names, at any depth: a kind of source that this package does not know has secrets of the same names. */
const REQUEST_ONLY = leafFields(pipeFields.filter(({ name }) => name === "source"))
  .filter(({ writeOnly }) => writeOnly)
  .map(({ name }) => name);

const withoutRequestOnly = (value: PropertyValue): PropertyValue =>
  isMap(value)
    ? mapMembers(value, (member, name) =>
        REQUEST_ONLY.includes(name) ? undefined : withoutRequestOnly(member),
      )
    : value;
