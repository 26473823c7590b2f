import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import type { Clock } from "./clock";
import type { OperationId } from "./contract";
import type { CreateReversePrivateEndpoint } from "./endpoint";
import { makeEndpoint } from "./endpoint";
import type { FreshPipes } from "./fresh-pipes";
import type { JsonObject } from "./json";
import type { PipeRules, StoredPipe } from "./pipe";
import { changePipe, makePipe, withLowerNames } from "./pipe";
import type { CreatePipe } from "./pipe-shape";
import type { CurrentBehaviour } from "./profile";
import { isPaused, refuseByProfile } from "./profile-rules";
import type { EndpointLookup } from "./rules";
import { createRules, updateRules } from "./rules";
import type { StoredService, UpdateService } from "./service";
import { updateService } from "./service";
import type { PipeOperation } from "./spelling";
import { spellPipe } from "./spelling";
import type { Store } from "./store";

/** What handlers work with. */
export interface World {
  store: Store;
  clock: Clock;
  rules: PipeRules;
  strictReferences: boolean;
  behaviour: CurrentBehaviour;
  freshPipes: FreshPipes;
}

/** A request that is known, allowed and well-formed. */
export interface Call {
  service: StoredService;
  params: Readonly<Record<string, string>>;
  body: JsonObject;
}

/** What an operation answers, and the part of it that the contract must describe: not what control has edited. */
export interface Outcome {
  result: unknown;
  documented?: unknown;
  /** The documented part as the profiles spell it. @default documented */
  spelt?: unknown;
}

type Handler = (world: World, call: Call) => Outcome;

export function refuse(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new ApiError(400, complaints.join("; "));
}

function findPipe({ store }: World, { service, params }: Call): StoredPipe {
  const stored = store.pipes.get(params["pipeId"]?.toLowerCase() ?? "");
  if (stored?.pipe.serviceId !== service.service.id)
    throw new ApiError(404, "the service has no pipe of this pipeId");
  return stored;
}

/** How references are checked for a service; undefined when they are not. */
export function endpointLookup({ store, strictReferences }: World, serviceId: string): EndpointLookup {
  if (!strictReferences) return undefined;
  return (id) => store.endpoints.get(id.toLowerCase())?.endpoint.serviceId === serviceId;
}

function pipeOutcome(
  { store, behaviour: current }: World,
  stored: StoredPipe,
  operation: PipeOperation,
): Outcome {
  const documented = store.view(stored);
  const behaviour = current.of(documented.serviceId);
  const spelt = spellPipe(documented, operation, behaviour);
  return stored.edited ? { result: spelt } : { result: spelt, documented, spelt };
}

/** Stores a pipe as the profiles want it stored. */
export function keepPipe({ store, behaviour }: World, made: StoredPipe): StoredPipe {
  const stored = behaviour.of(made.pipe.serviceId).has("lower-case") ? withLowerNames(made) : made;
  store.pipes.set(stored.pipe.id, stored);
  return stored;
}

const createPipe: Handler = (world, { service, body }) => {
  const { store, clock, rules } = world;
  const serviceId = service.service.id;
  refuse(createRules(body as unknown as CreatePipe, endpointLookup(world, serviceId)));
  const made = makePipe(randomUUID(), serviceId, body, clock, rules);
  keepPipe(world, made);
  world.freshPipes.add(made.pipe.id);
  store.save();
  return pipeOutcome(world, made, "createPipe");
};

const updatePipe: Handler = (world, call) => {
  const { store, clock, rules } = world;
  const behaviour = world.behaviour.of(call.service.service.id);
  const before = findPipe(world, call);
  refuse(updateRules(before.pipe, call.body, endpointLookup(world, call.service.service.id)));
  const { state } = store.view(before);
  refuseByProfile(behaviour, state, call.body);
  const changed = changePipe(before, call.body, clock, rules);
  // A pipe that had to be paused stays so: an edit of table mappings takes two updates.
  if (behaviour.has("pause-required") && isPaused(state)) changed.phase = before.phase;
  const stored = keepPipe(world, changed);
  store.save();
  return pipeOutcome(world, stored, "updatePipe");
};

const listPipes: Handler = ({ store, behaviour: current, freshPipes }, { service }) => {
  const behaviour = current.of(service.service.id);
  const pipes = store.pipesOf(service.service.id).map((stored) => {
    const view = store.view(stored);
    const spelt = spellPipe(view, "listPipes", behaviour, freshPipes.takeList(view.id));
    return { view, spelt, edited: stored.edited };
  });
  const documented = pipes.filter(({ edited }) => !edited);
  return {
    result: pipes.map(({ spelt }) => spelt),
    documented: documented.map(({ view }) => view),
    spelt: documented.map(({ spelt }) => spelt),
  };
};

const getPipeSettings: Handler = (world, call) => {
  const { pipe, edited } = findPipe(world, call);
  if (pipe.source.postgres) throw new ApiError(404, "a postgres pipe has no settings");
  const result = pipe.settings ?? {};
  return { result, documented: edited ? undefined : result };
};

const createReversePrivateEndpoint: Handler = ({ store, clock }, { service, body }) => {
  const request = body as unknown as CreateReversePrivateEndpoint;
  const stored = makeEndpoint(service.service.id, request, clock.now());
  store.endpoints.set(stored.endpoint.id, stored);
  store.save();
  const result = store.viewEndpoint(stored);
  return { result, documented: result };
};

const changeService: Handler = ({ store, behaviour }, { service, body }) => {
  const update = body as UpdateService;
  service.service = updateService(service.service, update, behaviour.of(service.service.id).has("cidr"));
  service.releaseChannel = update.releaseChannel ?? service.releaseChannel;
  store.save();
  return { result: service.service, documented: service.edited ? undefined : service.service };
};

const listBackups: Handler = (_world, { service }) => {
  // ISO times of one form sort as texts do.
  const result = [...service.backups].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  return { result, documented: result };
};

const deletePipe: Handler = (world, call) => {
  world.store.pipes.delete(findPipe(world, call).pipe.id);
  world.store.save();
  return { result: {}, documented: {} };
};

const deleteReversePrivateEndpoint: Handler = ({ store }, { service, params }) => {
  const id = params["endpointId"]?.toLowerCase() ?? "";
  if (store.endpoints.get(id)?.endpoint.serviceId !== service.service.id)
    throw new ApiError(404, "the service has no reverse private endpoint of this endpointId");
  store.endpoints.delete(id);
  store.save();
  return { result: {}, documented: {} };
};

/** One handler per operation of the contract. */
export const HANDLERS: Readonly<Record<OperationId, Handler>> = {
  createPipe,
  updatePipe,
  listPipes,
  getPipeSettings,
  createReversePrivateEndpoint,
  updateService: changeService,
  listBackups,
  deletePipe,
  deleteReversePrivateEndpoint,
};
