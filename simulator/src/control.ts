import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import type { Backup } from "./backup";
import type { Clock } from "./clock";
import type { Contract } from "./contract";
import type { ReversePrivateEndpoint } from "./endpoint";
import type { Fault, FaultQueue } from "./fault";
import type { World } from "./handlers";
import { endpointLookup, keepPipe, refuse } from "./handlers";
import type { Json, JsonObject } from "./json";
import { isObject, mergePatch } from "./json";
import { makePipe } from "./pipe";
import type { Pipe } from "./pipe-shape";
import type { Behaviour } from "./profile";
import type { RateLimiter } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import { createRules } from "./rules";
import type { Service, StoredService } from "./service";
import type { SeedPipe, SimulatorControl, SimulatorState } from "./simulator-control";
import type { Store } from "./store";

/** What control reaches into. */
export interface ControlParts {
  contract: Contract;
  world: World;
  log: RequestLog;
  faults: FaultQueue;
  limiter: RateLimiter;
}

/** Control of a running simulator. */
export class Control implements SimulatorControl {
  private readonly store: Store;
  private readonly clock: Clock;

  constructor(private readonly parts: ControlParts) {
    this.store = parts.world.store;
    this.clock = parts.world.clock;
  }

  requests(): LoggedRequest[] {
    return this.parts.log.list();
  }

  clearRequests(): void {
    this.parts.log.clear();
  }

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

  reset(): void {
    this.store.reset();
    this.parts.log.clear();
    this.parts.faults.clear();
    this.parts.limiter.clear();
    this.parts.world.freshPipes.clear();
    this.parts.world.behaviour.reset();
  }

  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[] {
    const { service } = this.findService(serviceId);
    const seeds = pipes.map((pipe, index) => this.checkSeed(pipe, `pipes[${index}]`, service.id));
    const { rules } = this.parts.world;
    const made = seeds.map(({ id, state, body }) => {
      const made = makePipe(id, service.id, body, this.clock, rules);
      if (state !== undefined) made.phase = { states: [state], since: this.clock.now() };
      const stored = keepPipe(this.parts.world, made);
      return structuredClone(this.store.view(stored));
    });
    this.store.save();
    return made;
  }

  private checkSeed(
    seed: SeedPipe,
    at: string,
    serviceId: string,
  ): { id: string; state?: string; body: JsonObject } {
    const { id = randomUUID(), state, ...create } = structuredClone(seed);
    const body = create as unknown as JsonObject;
    const complaints = this.parts.contract.checkBody("createPipe", body);
    if (complaints.length === 0)
      complaints.push(...createRules(create, endpointLookup(this.parts.world, serviceId)));
    if (this.store.pipes.has(id)) complaints.push("id is taken");
    complaints.push(...this.parts.contract.checkPath({ id }));
    refuse(complaints.map((complaint) => `${at}.${complaint}`));
    return { id: id.toLowerCase(), body, ...(state === undefined ? {} : { state }) };
  }

  editPipe(id: string, patch: object): Pipe {
    const stored = this.store.pipes.get(id.toLowerCase());
    if (!stored) throw new ApiError(404, "there is no pipe of this id");
    const before = { ...stored.pipe } as unknown as JsonObject;
    // An own copy, for later changes of the caller's object are no edits.
    const merged = mergePatch(before, structuredClone(patch) as Json) as unknown as Pipe;
    if ("state" in patch && typeof patch.state === "string")
      stored.phase = { states: [patch.state], since: this.clock.now() };
    stored.pipe = { ...merged, id: stored.pipe.id };
    stored.edited = this.breaksContract("updatePipe", stored.pipe);
    this.store.save();
    return structuredClone(this.store.view(stored));
  }

  /** What the contract does not describe is served all the same, and then not checked against it. */
  private breaksContract(operationId: "updatePipe" | "updateService", result: unknown): boolean {
    const envelope = { status: 200, requestId: randomUUID(), result };
    return this.parts.contract.checkResponse(operationId, envelope).length > 0;
  }

  deletePipe(id: string): void {
    if (!this.store.pipes.delete(id.toLowerCase())) throw new ApiError(404, "there is no pipe of this id");
    this.store.save();
  }

  deleteService(id?: string): void {
    const { service } = this.findService(id);
    const { services, pipes, endpoints } = this.store;
    for (const { pipe } of this.store.pipesOf(service.id)) pipes.delete(pipe.id);
    for (const { endpoint } of [...endpoints.values()])
      if (endpoint.serviceId === service.id) endpoints.delete(endpoint.id);
    services.delete(service.id);
    this.store.save();
  }

  editService(id: string, patch: object): Service {
    const stored = this.findService(id);
    const merged = mergePatch(stored.service as unknown as Json, structuredClone(patch) as Json);
    stored.service = { ...(merged as unknown as Service), id: stored.service.id };
    stored.edited = this.breaksContract("updateService", stored.service);
    this.store.save();
    return structuredClone(stored.service);
  }

  private findService(id?: string): StoredService {
    const stored =
      id === undefined ? [...this.store.services.values()][0] : this.store.services.get(id.toLowerCase());
    if (!stored) throw new ApiError(404, "there is no service of this id");
    return stored;
  }

  editEndpoint(id: string, patch: object): ReversePrivateEndpoint {
    const stored = this.store.endpoints.get(id.toLowerCase());
    if (!stored) throw new ApiError(404, "there is no reverse private endpoint of this id");
    const merged = mergePatch(stored.endpoint as unknown as Json, structuredClone(patch) as Json);
    stored.endpoint = { ...(merged as unknown as ReversePrivateEndpoint), id: stored.endpoint.id };
    if ("status" in patch && typeof patch.status === "string")
      stored.phase = { states: [patch.status], since: this.clock.now() };
    this.store.save();
    return structuredClone(this.store.viewEndpoint(stored));
  }

  deleteEndpoint(id: string): void {
    if (!this.store.endpoints.delete(id.toLowerCase()))
      throw new ApiError(404, "there is no reverse private endpoint of this id");
    this.store.save();
  }

  seedBackups(
    backups: readonly Partial<Backup>[],
    { serviceId, replace = false }: { serviceId?: string; replace?: boolean } = {},
  ): Backup[] {
    const stored = this.findService(serviceId);
    const now = new Date(this.clock.stated()).toISOString();
    const own = { serviceId: stored.service.id };
    const made = backups.map((backup) => ({
      id: randomUUID(),
      startedAt: now,
      ...structuredClone(backup),
      ...own,
    }));
    stored.backups = [...(replace ? [] : stored.backups), ...made];
    this.store.save();
    return structuredClone(made);
  }

  advance(seconds: number): number {
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new ApiError(400, "advanceSeconds must be a number that is not negative");
    this.clock.advance(seconds);
    this.store.save();
    return this.clock.now();
  }

  behaviour(serviceId?: string): Behaviour {
    return this.parts.world.behaviour.get(serviceId);
  }

  setBehaviour(change: Partial<Behaviour>, serviceId?: string): Behaviour {
    this.parts.world.behaviour.change(change, serviceId);
    return this.behaviour(serviceId);
  }

  fault(fault: Fault): void {
    this.parts.faults.add(fault);
  }

  faults(): Fault[] {
    return this.parts.faults.list();
  }

  clearFaults(): void {
    this.parts.faults.clear();
  }

  digest(value: object): string {
    return this.parts.world.rules.digester.digest(value as Json);
  }
}

/** Reads what `POST /control/…` sends as a list of objects. */
export function objectsOf(value: unknown, field: string): JsonObject[] {
  if (!Array.isArray(value) || !value.every(isObject))
    throw new ApiError(400, `${field} must be an array of objects`);
  return value;
}
