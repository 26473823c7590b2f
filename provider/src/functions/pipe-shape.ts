import type * as pulumi from "@pulumi/pulumi";
import { SECRET_NAMES } from "../api/secret-names";
import { isWireObject, type WireObject, type WireValue } from "../api/wire";
import type { FieldMappingArgs } from "../resources/pipe/args";

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
  /** Where the pipe reads: one of `kafka`, `objectStorage`, `kinesis`, `postgres`, with the fields of the API document. */
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

/** The pipe as data functions show it: what the API returned, without its secrets. */
export function summaryOf(pipe: WireObject): PipeSummary {
  const empty = { source: {}, destination: {}, fieldMappings: [], scaling: {}, settings: {} };
  return { ...empty, ...withoutSecrets(withoutNull(pipe)) } as unknown as PipeSummary;
}

const withoutNull = (object: WireObject): WireObject =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null));

function withoutSecrets(object: WireObject): WireObject {
  const shown = Object.entries(object).filter(([name]) => !SECRET_NAMES.has(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, cleaned(member)]));
}

function cleaned(value: WireValue): WireValue {
  if (Array.isArray(value)) return (value as readonly WireValue[]).map(cleaned);
  return isWireObject(value) ? withoutSecrets(value) : value;
}
