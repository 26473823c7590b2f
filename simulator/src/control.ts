import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import type { Clock } from "./clock";
import { contract } from "./contract";
import type { Fault, FaultQueue, PendingFault } from "./fault";
import type { Context } from "./handlers";
import { endpointLookup, refuse, storePipe } from "./handlers";
import type { Json, JsonObject } from "./json";
import { mergePatch } from "./json";
import type { Backup, CreatePipe, Pipe, ReversePrivateEndpoint, Service } from "./models";
import { makePipe } from "./pipe";
import type { Behaviour } from "./profile";
import type { RateLimiter } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import { createRules } from "./rules";
import type { StoredService } from "./service";
import type { Store } from "./store";
import type { Digests } from "./write-only";

/** A pipe to create: the body of createPipe, and optionally its id and the state that it stays in. */
export type SeedPipe = Omit<CreatePipe, "id" | "state"> & { id?: string; state?: string };

/** Everything that exists. */
export interface SimulatorState {
  /** Simulated time, in ms. */
  now: number;
  organizations: { id: string; serviceIds: string[] }[];
  services: (Service & { organizationId: string; releaseChannel: string })[];
  /** Pipes in response form; `credentialsDigest` has a digest per write-only field that was sent. */
  pipes: (Pipe & { credentialsDigest: Digests })[];
  endpoints: ReversePrivateEndpoint[];
  backups: Backup[];
}

/** The parts of a simulator that control reads and changes. */
export interface ControlParts {
  context: Context;
  log: RequestLog;
  faults: FaultQueue;
  limiter: RateLimiter;
}

/** What is stored under an id, which is lower-case. */
function found<T>(records: ReadonlyMap<string, T>, id: string, noun: string): T {
  const record = records.get(id.toLowerCase());
  if (record === undefined) throw new ApiError(404, `there is no ${noun} with this ID`);
  return record;
}

/** A JSON merge patch that leaves the id. */
function patched<T extends { id: string }>(current: T, patch: object): T {
  // A copy, because later changes of the caller's object are no edits.
  const merged = mergePatch(current, structuredClone(patch) as Json) as unknown as T;
  return { ...merged, id: current.id };
}

/** Whether the contract describes a record after an edit. If it does not, answers with it are not checked. */
function breaksContract(operationId: "updatePipe" | "updateService", result: unknown): boolean {
  const envelope = { status: 200, requestId: randomUUID(), result };
  return contract.checkResponse(operationId, envelope).length > 0;
}

/** Control of a running simulator. */
export class Control {
  private readonly store: Store;
  private readonly clock: Clock;

  constructor(private readonly parts: ControlParts) {
    this.store = parts.context.store;
    this.clock = parts.context.clock;
  }

  /** Requests to the API since the start or the last clearing, oldest first. */
  requests(): LoggedRequest[] {
    return this.parts.log.list();
  }

  clearRequests(): void {
    this.parts.log.clear();
  }

  /** Everything that exists. */
  state(): SimulatorState {
    const { store } = this;
    const services = [...store.services.values()];
    const organizations = [...new Set(services.map(({ organizationId }) => organizationId))];
    return structuredClone({
      now: this.clock.now(),
      organizations: organizations.map((id) => ({
        id,
        serviceIds: services
          .filter((stored) => stored.organizationId === id)
          .map((stored) => stored.service.id),
      })),
      services: services.map((stored) => ({
        ...stored.service,
        organizationId: stored.organizationId,
        releaseChannel: stored.releaseChannel,
      })),
      pipes: [...store.pipes.values()].map((stored) => ({
        ...store.view(stored),
        credentialsDigest: stored.digests,
      })),
      endpoints: [...store.endpoints.values()].map((stored) => store.viewEndpoint(stored)),
      backups: services.flatMap((stored) => stored.backups),
    });
  }

  /** Restores the state, the clock and the behaviour of the start, without faults and logged requests. */
  reset(): void {
    this.store.reset();
    this.parts.log.clear();
    this.parts.faults.clear();
    this.parts.limiter.clear();
    this.parts.context.behaviour.reset();
  }

  /** Creates pipes without a request. A given `state` stays until an update; `serviceId` is the first one by default. */
  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[] {
    const { service } = this.findService(serviceId);
    // A wrong pipe must not leave those before it behind.
    pipes.forEach((pipe, index) => {
      this.checkSeed(pipe, `pipes[${index}]`, service.id);
    });
    const { context } = this.parts;
    const seeded = structuredClone(pipes).map(({ id = randomUUID(), state, ...body }) => {
      const made = makePipe(id.toLowerCase(), service.id, body, this.clock, context.rules);
      if (state !== undefined) made.phase = { states: [state], since: this.clock.now() };
      return structuredClone(this.store.view(storePipe(context, made)));
    });
    this.store.save();
    return seeded;
  }

  private checkSeed({ id, state: _, ...body }: SeedPipe, path: string, serviceId: string): void {
    const errors = contract.checkBody("createPipe", body as unknown as JsonObject);
    if (errors.length === 0) errors.push(...createRules(body, endpointLookup(this.parts.context, serviceId)));
    if (id !== undefined && this.store.pipes.has(id.toLowerCase())) errors.push("id is taken");
    if (id !== undefined) errors.push(...contract.checkPath({ id }));
    refuse(errors.map((error) => `${path}.${error}`));
  }

  /** Changes a pipe without a request, by a JSON merge patch of what the API returns (null deletes a field). */
  editPipe(id: string, patch: object): Pipe {
    const stored = found(this.store.pipes, id, "pipe");
    stored.pipe = patched(stored.pipe, patch);
    stored.edited = breaksContract("updatePipe", stored.pipe);
    if ("state" in patch && typeof patch.state === "string")
      stored.phase = { states: [patch.state], since: this.clock.now() };
    this.store.save();
    return structuredClone(this.store.view(stored));
  }

  /** Changes a service without a request, by JSON merge patch. */
  editService(id: string, patch: object): Service {
    const stored = this.findService(id);
    stored.service = patched(stored.service, patch);
    stored.edited = breaksContract("updateService", stored.service);
    this.store.save();
    return structuredClone(stored.service);
  }

  /** Changes a reverse private endpoint without a request, by JSON merge patch. */
  editEndpoint(id: string, patch: object): ReversePrivateEndpoint {
    const stored = found(this.store.endpoints, id, "reverse private endpoint");
    stored.endpoint = patched(stored.endpoint, patch);
    if ("status" in patch && typeof patch.status === "string")
      stored.phase = { states: [patch.status], since: this.clock.now() };
    this.store.save();
    return structuredClone(this.store.viewEndpoint(stored));
  }

  deletePipe(id: string): void {
    this.store.pipes.delete(found(this.store.pipes, id, "pipe").pipe.id);
    this.store.save();
  }

  deleteEndpoint(id: string): void {
    this.store.endpoints.delete(found(this.store.endpoints, id, "reverse private endpoint").endpoint.id);
    this.store.save();
  }

  /** Deletes a service and everything in it: its paths answer 404 until `reset`. */
  deleteService(id?: string): void {
    const { service } = this.findService(id);
    const { services, pipes, endpoints } = this.store;
    for (const { pipe } of this.store.pipesOf(service.id)) pipes.delete(pipe.id);
    for (const { endpoint } of [...endpoints.values()])
      if (endpoint.serviceId === service.id) endpoints.delete(endpoint.id);
    services.delete(service.id);
    this.store.save();
  }

  private findService(id?: string): StoredService {
    const { services } = this.store;
    return found(services, id ?? services.keys().next().value ?? "", "service");
  }

  /** Adds backups to a service, or replaces all. */
  seedBackups(
    backups: readonly Partial<Backup>[],
    { serviceId, replace = false }: { serviceId?: string; replace?: boolean } = {},
  ): Backup[] {
    const stored = this.findService(serviceId);
    const now = new Date(this.clock.stated()).toISOString();
    const made = backups.map((backup) => ({
      id: randomUUID(),
      startedAt: now,
      ...structuredClone(backup),
      serviceId: stored.service.id,
    }));
    stored.backups = [...(replace ? [] : stored.backups), ...made];
    this.store.save();
    return structuredClone(made);
  }

  /** Advances the clock of states and rate limit; returns the simulated time, in ms. */
  advance(seconds: number): number {
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new ApiError(400, "advanceSeconds must be a number that is not negative");
    this.clock.advance(seconds);
    this.store.save();
    return this.clock.now();
  }

  /** How the simulator behaves now, in all services or in one: profiles, times, clock. */
  behaviour(serviceId?: string): Behaviour {
    return this.parts.context.behaviour.get(serviceId);
  }

  /** Changes the given members of the behaviour for later requests; returns the new behaviour. */
  setBehaviour(change: Partial<Behaviour>, serviceId?: string): Behaviour {
    this.parts.context.behaviour.change(change, serviceId);
    return this.behaviour(serviceId);
  }

  /** Requests a fault; returns the id that `removeFault` takes. */
  fault(fault: Fault): string {
    return this.parts.faults.add(fault);
  }

  /** The pending faults, in the order in which they were requested. */
  faults(): PendingFault[] {
    return this.parts.faults.list();
  }

  /** Removes one pending fault. */
  removeFault(id: string): void {
    this.parts.faults.remove(id);
  }

  clearFaults(): void {
    this.parts.faults.clear();
  }

  /** The digest of this value in `credentialsDigest`; each simulator has its own. */
  digest(value: object): string {
    return this.parts.context.rules.digester.digest(value as Json);
  }
}

/** What the control path does, without HTTP. */
export type SimulatorControl = Pick<Control, keyof Control>;
