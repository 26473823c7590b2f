import type { Clock } from "./clock";
import { contract } from "./contract";
import { fillMapping, fillPipe } from "./defaults";
import type { Json } from "./json";
import { mergePatch } from "./json";
import type { CreatePipe, Pipe, UpdatePipe } from "./models";
import type { Phase } from "./phase";
import { pipeCreation, pipeUpdate } from "./phase";
import { lowerNames } from "./pipe-format";
import { mappingsAfter } from "./rules";
import type { Digester, Digests } from "./write-only";

/** A pipe as the store keeps it, without write-only fields. */
export interface StoredPipe {
  /** Its `state` is computed from the phase. */
  pipe: Pipe;
  phase: Phase;
  /** Digests of the write-only values that were last sent. In memory only. */
  digests: Digests;
  /** How many lists will still state 0 for its scaling under the profile `zero-later`. In memory only. */
  zeroLists: number;
  /** Whether control made it something that the contract does not describe. */
  edited: boolean;
}

/** What creating and changing pipes depends on. */
export interface PipeRules {
  digester: Digester;
  /** Whether the server fills in what requests leave out. */
  fill: boolean;
  /** Whether updates accept `settings` and ignore them. */
  ignoreSettings: boolean;
}

export function makePipe(
  id: string,
  serviceId: string,
  body: CreatePipe,
  clock: Clock,
  rules: PipeRules,
): StoredPipe {
  const { fields, digests } = rules.digester.strip(body, contract.operation("createPipe").body);
  const time = new Date(clock.stated()).toISOString();
  const { name, ...rest } = fields;
  const times = { createdAt: time, updatedAt: time };
  const pipe = { id, serviceId, name, state: "Provisioning", ...rest, ...times } as unknown as Pipe;
  return {
    pipe: rules.fill ? fillPipe(pipe) : pipe,
    phase: pipeCreation(pipe, clock.now()),
    digests,
    zeroLists: 0,
    edited: false,
  };
}

/** The stored pipe with the names of its destination in lower case. */
export function withLowerNames(stored: StoredPipe): StoredPipe {
  const pipe = structuredClone(stored.pipe);
  lowerNames(pipe);
  return { ...stored, pipe };
}

/** An update without what changes nothing: `name: null`, and a source without a kind. */
function withoutNoOps({ name, source = {}, ...rest }: UpdatePipe): UpdatePipe {
  const hasKind = Object.keys(source).length > 0;
  return { ...rest, ...(typeof name === "string" && { name }), ...(hasKind && { source }) };
}

/** An update as a merge patch of the pipe: instead of edits of table mappings it has the mappings after them. */
function asMergePatch(pipe: Pipe, update: UpdatePipe, { fill, ignoreSettings }: PipeRules): object {
  const { settings, source, ...rest } = update;
  const patch = { ...rest, ...(settings && !ignoreSettings && { settings }) };
  if (!source?.postgres) return { ...patch, source: source ?? {} };
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [], ...postgres } = source.postgres;
  const current = pipe.source.postgres?.tableMappings ?? [];
  const tableMappings = mappingsAfter(current, fill ? add.map(fillMapping) : add, remove);
  const isEdited = add.length + remove.length > 0;
  return { ...patch, source: { postgres: { ...postgres, ...(isEdited && { tableMappings }) } } };
}

/** The pipe after an update; fields that the body leaves out stay as they are. */
export function changePipe(stored: StoredPipe, body: UpdatePipe, clock: Clock, rules: PipeRules): StoredPipe {
  const { fields, digests } = rules.digester.strip(body, contract.operation("updatePipe").body);
  const update = withoutNoOps(fields);
  if (Object.keys(update).length === 0) return stored;
  const patch = asMergePatch(stored.pipe, update, rules) as Json;
  const pipe = mergePatch(stored.pipe, patch) as unknown as Pipe;
  return {
    ...stored,
    pipe: { ...pipe, updatedAt: new Date(clock.stated()).toISOString() },
    phase: pipeUpdate(pipe, clock.now()),
    digests: { ...stored.digests, ...digests },
  };
}
