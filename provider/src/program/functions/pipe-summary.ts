import type * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import { isWireObject, type WireObject, type WireValue } from "../../api/wire";
import type { ListedPipe } from "../../resources/pipe/observed";
import type { FieldMappingArgs } from "../pipe/args";

/** A pipe as the API lists it, without anything that is secret; setting names in camelCase. */
export interface PipeSummary {
  /** Id of the pipe, a UUID. */
  readonly id: string;
  /** Id of the service that owns the pipe, a UUID. */
  readonly serviceId: string;
  /** Name of the pipe. */
  readonly name: string;
  /** State of the pipe, such as `Running`. The API document lists no values. */
  readonly state: string;
  /** Where the pipe reads: its one kind, such as `kafka`, with the fields of the API document. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Where the pipe writes, with the fields of the API document. */
  readonly destination: Readonly<Record<string, unknown>>;
  /** Which field of the source fills which column. */
  readonly fieldMappings: readonly Readonly<pulumi.Unwrap<FieldMappingArgs>>[];
  /** The size of the pipe. */
  readonly scaling: Readonly<Record<string, unknown>>;
  /** The settings of the pipe. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** When the pipe was created, as the API writes it. */
  readonly createdAt: string;
  /** When the pipe was last changed, as the API writes it. */
  readonly updatedAt: string;
}

/** The pipe as data functions return it: without secrets and nulls, and with one kind of source. */
export function summaryOf(pipe: ListedPipe): PipeSummary {
  const empty = { source: {}, destination: {}, fieldMappings: [], scaling: {}, settings: {} };
  // A pipe of a list is what the API returned: it has no value that is not known yet.
  const { source, ...members } = filtered(
    pipe as WireObject,
    (member, name) => member !== null && !SECRET_NAMES.has(name),
  ) as WireObject;
  return {
    ...empty,
    ...members,
    ...(isWireObject(source) && { source: oneKind(source) }),
  } as unknown as PipeSummary;
}

/** A copy without nulls, at every depth: the API returns null for a value that does not exist. */
export const withoutNulls = (object: WireObject): WireObject =>
  filtered(object, (member) => member !== null) as WireObject;

/** A copy with the members and elements to keep, at every depth. Elements have no name. */
function filtered(value: WireValue, isKept: (member: WireValue, name: string) => boolean): WireValue {
  if (Array.isArray(value)) {
    const elements = (value as readonly WireValue[]).filter((element) => isKept(element, ""));
    return elements.map((element) => filtered(element, isKept));
  }
  if (!isWireObject(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => isKept(member, name));
  return Object.fromEntries(members.map(([name, member]) => [name, filtered(member, isKept)]));
}

/** Some services return the kinds that a pipe does not have as objects without a value. */
function oneKind(source: WireObject): WireObject {
  const isEmpty = (member: WireValue): boolean => isWireObject(member) && Object.keys(member).length === 0;
  const kinds = Object.values(source).filter(isWireObject);
  if (kinds.every(isEmpty)) return source;
  return Object.fromEntries(Object.entries(source).filter(([, member]) => !isEmpty(member)));
}
