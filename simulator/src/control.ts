import { randomUUID } from "node:crypto";
import { ApiError } from "./api-error";
import type { Backup } from "./backup";
import type { Clock } from "./clock";
import type { Contract } from "./contract";
import type { ReversePrivateEndpoint } from "./endpoint";
import type { Fault, FaultQueue } from "./fault";
import type { World } from "./handlers";
import { endpointLookup, refuse } from "./handlers";
import type { Json, JsonObject } from "./json";
import { isObject, mergePatch } from "./json";
import { makePipe } from "./pipe";
import type { CreatePipe, Pipe } from "./pipe-shape";
import type { RateLimiter } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import type { Digests } from "./request-only";
import { createRules } from "./rules";
import type { Service, StoredService } from "./service";
import type { Store } from "./store";

/** A pipe to seed: the body of createPipe, and if need be its id and the state that it stays in. */
export type SeedPipe = CreatePipe & { id?: string; state?: string };

/** Everything that exists. */
export interface SimulatorState {
  /** Simulated time, in ms. */
  now: number;
  organizations: { id: string; serviceIds: string[] }[];
  services: (Service & { organizationId: string; releaseChannel: string })[];
  /** Pipes in response form; `credentialsDigest` has a digest per request-only field that was sent. */
  pipes: (Pipe & { credentialsDigest: Digests })[];
  endpoints: ReversePrivateEndpoint[];
  backups: Backup[];
}

/** The control path in the same process. */
export interface SimulatorControl {
  /** Requests to the API since the start or the last clearing, oldest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Everything that exists. */
  state(): SimulatorState;
  /** Back to the beginning: no pipes, endpoints, faults, logged requests or moved clock. */
  reset(): void;
  /** Makes pipes without a request. A given `state` stays until an update; `serviceId` is the first one by default. */
  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[];
  /** Changes a pipe behind everybody's back: a JSON merge patch of its response form (null deletes a field). */
  editPipe(id: string, patch: object): Pipe;
  deletePipe(id: string): void;
  /** Changes a service behind everybody's back, by JSON merge patch. */
  editService(id: string, patch: object): Service;
  /** Changes a reverse private endpoint behind everybody's back, by JSON merge patch. */
  editEndpoint(id: string, patch: object): ReversePrivateEndpoint;
  deleteEndpoint(id: string): void;
  /** Adds backups to a service, or replaces all it has. */
  seedBackups(
    backups: readonly Partial<Backup>[],
    options?: { serviceId?: string; replace?: boolean },
  ): Backup[];
  /** Moves the clock of states and rate limit forward; answers the simulated time, in ms. */
  advance(seconds: number): number;
  /** Asks for a fault. */
  fault(fault: Fault): void;
  /** The faults still to come. */
  faults(): Fault[];
  clearFaults(): void;
  /** The digest that `credentialsDigest` carries for this value, in this run of this simulator. */
  digest(value: object): string;
}

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
  }

  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[] {
    const { service } = this.findService(serviceId);
    const seeds = pipes.map((pipe, index) => this.checkSeed(pipe, `pipes[${index}]`, service.id));
    const { rules } = this.parts.world;
    const made = seeds.map(({ id, state, body }) => {
      const stored = makePipe(id, service.id, body, this.clock.now(), rules);
      if (state !== undefined) stored.phase = { states: [state], since: this.clock.now() };
      this.store.pipes.set(id, stored);
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
    const now = new Date(this.clock.now()).toISOString();
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
