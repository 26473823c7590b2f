import { computedNames } from "../../lifecycle/state/outputs";
import {
  pick,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/comparison/property-value";
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
  readonly updatedAt?: PropertyValue;
}

export interface ListedPipe extends ObservedPipe {
  readonly id: string;
}

/** A pipe of the program as messages name it. */
export const pipeNamed = (name: unknown): string =>
  typeof name === "string" ? `pipe ${JSON.stringify(name)}` : "a pipe whose name is not known yet";

/** A pipe of the service as messages name it. */
export const describePipe = (id: string, { name }: ObservedPipe): string =>
  typeof name === "string" ? `pipe ${JSON.stringify(name)} (${id})` : `pipe ${id}`;

/** The members of a complete answer: neither the scope nor fields that only the provider uses. */
const PARTS = [...computedNames(pipeOutputs), ...sentFields(pipeFields)];

/**
 * The pipe as the state holds it: without nulls. A part that the answer leaves out is as it was before: a summary of a
 * pipe does not say that its source is gone.
 */
export const pipeOfAnswer = (pipe: PropertyMap, lastRead: PropertyMap = {}): ObservedPipe => ({
  ...pick(lastRead, PARTS),
  ...withoutNulls(pipe),
});
