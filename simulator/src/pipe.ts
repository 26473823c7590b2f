import type { Clock } from "./clock";
import { fillMapping, fillPipe } from "./filling";
import type { JsonObject } from "./json";
import type { Phase } from "./phase";
import { pipeCreation, pipeUpdate } from "./phase";
import type { CreatePipe, Pipe, UpdatePipe } from "./pipe-shape";
import type { Digester, Digests } from "./request-only";
import { mappingsAfter } from "./rules";
import { lowerNames } from "./spelling";

/** A pipe as the store keeps it: without anything that only requests carry. */
export interface StoredPipe {
  /** The response form; its `state` is worked out from the phase. */
  pipe: Pipe;
  phase: Phase;
  /** Digests of the request-only values that were last sent. In memory only. */
  digests: Digests;
  /** True when control made it something that the contract does not describe. */
  edited: boolean;
}

/** What making and changing pipes depends on. */
export interface PipeRules {
  digester: Digester;
  /** Whether the server fills in what requests leave out. */
  fill: boolean;
  /** Whether updates take `settings` and do nothing with them. */
  ignoreSettings: boolean;
}

export function makePipe(
  id: string,
  serviceId: string,
  body: JsonObject,
  clock: Clock,
  rules: PipeRules,
): StoredPipe {
  const { body: stripped, digests } = rules.digester.strip(body);
  const time = new Date(clock.stated()).toISOString();
  const { name, source, destination, ...rest } = stripped as unknown as CreatePipe;
  const pipe: Pipe = {
    id,
    serviceId,
    name,
    state: "Provisioning",
    source,
    destination,
    ...rest,
    createdAt: time,
    updatedAt: time,
  };
  return {
    pipe: rules.fill ? fillPipe(pipe) : pipe,
    phase: pipeCreation(pipe, clock.now()),
    digests,
    edited: false,
  };
}

function updateSource(pipe: Pipe, update: NonNullable<UpdatePipe["source"]>, fill: boolean): Pipe["source"] {
  const { kafka, objectStorage, kinesis, postgres } = pipe.source;
  if (kafka) return { kafka: { ...kafka, ...update.kafka } };
  if (objectStorage) return { objectStorage: { ...objectStorage, ...update.objectStorage } };
  if (kinesis) return { kinesis: { ...kinesis, ...update.kinesis } };
  if (!postgres) return pipe.source;
  const { settings, tableMappingsToAdd = [], tableMappingsToRemove, ...fields } = update.postgres ?? {};
  const added = fill ? tableMappingsToAdd.map(fillMapping) : tableMappingsToAdd;
  const next = { ...postgres, ...fields };
  if (settings) next.settings = { ...postgres.settings, ...settings };
  if (added.length > 0 || tableMappingsToRemove)
    next.tableMappings = mappingsAfter(postgres.tableMappings ?? [], added, tableMappingsToRemove);
  return { postgres: next };
}

/** Whether a body asks for anything: neither `name: null` nor `validateSamples` alone changes a pipe. */
function asksForChange({ name, source, ...rest }: UpdatePipe): boolean {
  const { validateSamples: _, ...kinds } = source ?? {};
  return (name ?? undefined) !== undefined || Object.keys(kinds).length > 0 || Object.keys(rest).length > 0;
}

/** The stored pipe with the names of its destination in lower case. */
export function withLowerNames(stored: StoredPipe): StoredPipe {
  const pipe = structuredClone(stored.pipe);
  lowerNames(pipe as unknown as JsonObject);
  return { ...stored, pipe };
}

/** The pipe after an update; what the body leaves out stays as it is. */
export function changePipe(stored: StoredPipe, body: JsonObject, clock: Clock, rules: PipeRules): StoredPipe {
  const { body: stripped, digests } = rules.digester.strip(body);
  const update = stripped as UpdatePipe;
  if (!asksForChange(update)) return stored;
  const pipe: Pipe = { ...stored.pipe, updatedAt: new Date(clock.stated()).toISOString() };
  if (typeof update.name === "string") pipe.name = update.name;
  if (update.source) pipe.source = updateSource(pipe, update.source, rules.fill);
  if (update.destination?.columns)
    pipe.destination = { ...pipe.destination, columns: update.destination.columns };
  if (update.fieldMappings) pipe.fieldMappings = update.fieldMappings;
  if (update.settings && !rules.ignoreSettings) pipe.settings = { ...pipe.settings, ...update.settings };
  return {
    ...stored,
    pipe,
    phase: pipeUpdate(pipe, clock.now()),
    digests: { ...stored.digests, ...digests },
  };
}
