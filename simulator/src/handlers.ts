import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import type { Clock } from "./clock";
import { makeEndpoint } from "./endpoint";
import type { JsonObject } from "./json";
import type { CreatePipe, CreateReversePrivateEndpoint, OperationId, UpdateService } from "./models";
import type { PipeRules, StoredPipe } from "./pipe";
import { changePipe, makePipe, withLowerNames } from "./pipe";
import type { PipeOperation } from "./pipe-format";
import { formatPipe } from "./pipe-format";
import type { CurrentBehaviour } from "./profile";
import { createErrorsByProfile, isPaused, refuseByProfile } from "./profile-rules";
import type { EndpointLookup } from "./rules";
import { createRules, updateRules } from "./rules";
import type { StoredService } from "./service";
import { updateService } from "./service";
import type { Store } from "./store";

/** Lists that state 0 for the scaling of a new pipe under the profile `zero-later`. */
const ZERO_LISTS = 2;

/** What handlers work with. */
export interface Context {
  store: Store;
  clock: Clock;
  rules: PipeRules;
  strictReferences: boolean;
  behaviour: CurrentBehaviour;
}

/** A valid request. */
export interface Call {
  service: StoredService;
  params: Readonly<Record<string, string>>;
  body: JsonObject;
}

/** What an operation answers. */
export interface Outcome {
  result: unknown;
  /** As it is stored, and without what control has edited: this part the contract must describe. */
  documented?: unknown;
  /** The documented part as the profiles format it. */
  formatted?: unknown;
}

type Handler = (context: Context, call: Call) => Outcome;

export function refuse(errors: readonly string[]): void {
  if (errors.length > 0) throw new ApiError(400, errors.join("; "));
}

function findPipe({ store }: Context, { service, params }: Call): StoredPipe {
  const stored = store.pipes.get(params["pipeId"]?.toLowerCase() ?? "");
  if (stored?.pipe.serviceId !== service.service.id)
    throw new ApiError(404, "the service has no pipe with this pipeId");
  return stored;
}

/** How references are checked for a service; undefined when they are not. */
export function endpointLookup({ store, strictReferences }: Context, serviceId: string): EndpointLookup {
  if (!strictReferences) return undefined;
  return (id) => store.endpoints.get(id.toLowerCase())?.endpoint.serviceId === serviceId;
}

/** An answer that profiles do not format. */
const plainOutcome = (result: object, edited = false): Outcome =>
  edited ? { result } : { result, documented: result };

function pipeOutcome({ store, behaviour }: Context, stored: StoredPipe, operation: PipeOperation): Outcome {
  const documented = store.view(stored);
  const isZero = operation === "listPipes" && stored.zeroLists > 0;
  if (isZero) stored.zeroLists -= 1;
  const result = formatPipe(documented, operation, behaviour.of(documented.serviceId), isZero);
  return stored.edited ? { result } : { result, documented, formatted: result };
}

/** Stores a pipe, with its names in lower case under that profile. */
export function storePipe({ store, behaviour }: Context, made: StoredPipe): StoredPipe {
  const stored = behaviour.of(made.pipe.serviceId).has("lower-case") ? withLowerNames(made) : made;
  store.pipes.set(stored.pipe.id, stored);
  return stored;
}

const createPipe: Handler = (context, { service, body }) => {
  const { store, clock, rules, behaviour } = context;
  const serviceId = service.service.id;
  const create = body as unknown as CreatePipe;
  refuse([
    ...createRules(create, endpointLookup(context, serviceId)),
    ...createErrorsByProfile(behaviour.of(serviceId), create),
  ]);
  const made = { ...makePipe(randomUUID(), serviceId, create, clock, rules), zeroLists: ZERO_LISTS };
  storePipe(context, made);
  store.save();
  return pipeOutcome(context, made, "createPipe");
};

const updatePipe: Handler = (context, call) => {
  const { store, clock, rules } = context;
  const serviceId = call.service.service.id;
  const behaviour = context.behaviour.of(serviceId);
  const before = findPipe(context, call);
  refuse(updateRules(before.pipe, call.body, endpointLookup(context, serviceId)));
  const { state } = store.view(before);
  refuseByProfile(behaviour, state, call.body);
  const changed = changePipe(before, call.body, clock, rules);
  // A pipe that had to be paused stays so: an edit of table mappings takes two updates.
  if (behaviour.has("pause-required") && isPaused(state)) changed.phase = before.phase;
  const stored = storePipe(context, changed);
  store.save();
  return pipeOutcome(context, stored, "updatePipe");
};

/** Whether reads show the pipe: those of a service that is behind lack new ones. */
function isVisible({ clock, behaviour }: Context, { pipe }: StoredPipe): boolean {
  return behaviour.of(pipe.serviceId).showsPipeOfAge(clock.stated() - Date.parse(pipe.createdAt));
}

const listPipes: Handler = (context, { service }) => {
  const stored = context.store.pipesOf(service.service.id).filter((pipe) => isVisible(context, pipe));
  const pipes = stored.map((pipe) => pipeOutcome(context, pipe, "listPipes"));
  const documented = pipes.filter((pipe) => pipe.documented !== undefined);
  return {
    result: pipes.map(({ result }) => result),
    documented: documented.map((pipe) => pipe.documented),
    formatted: documented.map(({ formatted }) => formatted),
  };
};

const getPipeSettings: Handler = (context, call) => {
  const stored = findPipe(context, call);
  if (!isVisible(context, stored)) throw new ApiError(404, "the service has no pipe with this pipeId");
  const { pipe, edited } = stored;
  if (pipe.source.postgres) throw new ApiError(404, "a postgres pipe has no settings");
  return plainOutcome(pipe.settings ?? {}, edited);
};

const createReversePrivateEndpoint: Handler = ({ store, clock }, { service, body }) => {
  const request = body as unknown as CreateReversePrivateEndpoint;
  const stored = makeEndpoint(service.service.id, request, clock.now());
  store.endpoints.set(stored.endpoint.id, stored);
  store.save();
  return plainOutcome(store.viewEndpoint(stored));
};

const changeService: Handler = ({ store, behaviour }, { service, body }) => {
  const update = body as UpdateService;
  service.service = updateService(service.service, update, behaviour.of(service.service.id).has("cidr"));
  service.releaseChannel = update.releaseChannel ?? service.releaseChannel;
  store.save();
  return plainOutcome(service.service, service.edited);
};

const listBackups: Handler = (_context, { service }) => {
  // ISO 8601 times of one form sort like texts.
  return plainOutcome([...service.backups].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)));
};

const deletePipe: Handler = (context, call) => {
  context.store.pipes.delete(findPipe(context, call).pipe.id);
  context.store.save();
  return plainOutcome({});
};

const deleteReversePrivateEndpoint: Handler = ({ store }, { service, params }) => {
  const id = params["endpointId"]?.toLowerCase() ?? "";
  if (store.endpoints.get(id)?.endpoint.serviceId !== service.service.id)
    throw new ApiError(404, "the service has no reverse private endpoint with this endpointId");
  store.endpoints.delete(id);
  store.save();
  return plainOutcome({});
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
