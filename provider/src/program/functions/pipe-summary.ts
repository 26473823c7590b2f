import type * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../../api/secrets/secret-names";
import {
  isList,
  isMap,
  mapMembers,
  withoutNulls,
  type PropertyMap,
  type PropertyValue,
} from "../../lifecycle/property-value";
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
  const { source, ...members } = withoutSecrets(withoutNulls(pipe)) as ListedPipe;
  return {
    ...empty,
    ...members,
    ...(isMap(source) && { source: oneKind(source) }),
  } as unknown as PipeSummary;
}

/** A copy without the members of secret names, at every depth. */
function withoutSecrets(value: PropertyValue): PropertyValue {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  return mapMembers(value, (member, name) => (SECRET_NAMES.has(name) ? undefined : withoutSecrets(member)));
}

/** Some services return the kinds that a pipe does not have as objects without a value. */
function oneKind(source: PropertyMap): PropertyMap {
  const isEmpty = (member: PropertyValue): boolean => isMap(member) && Object.keys(member).length === 0;
  if (Object.values(source).filter(isMap).every(isEmpty)) return source;
  return mapMembers(source, (member) => (isEmpty(member) ? undefined : member));
}
