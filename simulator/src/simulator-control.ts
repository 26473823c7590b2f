import type { Fault } from "./fault";
import type { Backup, CreatePipe, Pipe, ReversePrivateEndpoint, Service } from "./models";
import type { Behaviour } from "./profile";
import type { LoggedRequest } from "./request-log";
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

/** What the control path does, without HTTP. */
export interface SimulatorControl {
  /** Requests to the API since the start or the last clearing, oldest first. */
  requests(): LoggedRequest[];
  clearRequests(): void;
  /** Everything that exists. */
  state(): SimulatorState;
  /** Restores the state, the clock and the behaviour of the start, without faults and logged requests. */
  reset(): void;
  /** Creates pipes without a request. A given `state` stays until an update; `serviceId` is the first one by default. */
  seedPipes(pipes: readonly SeedPipe[], serviceId?: string): Pipe[];
  /** Changes a pipe without a request, by a JSON merge patch of what the API returns (null deletes a field). */
  editPipe(id: string, patch: object): Pipe;
  deletePipe(id: string): void;
  /** Deletes a service and everything in it: its paths answer 404 until `reset`. */
  deleteService(id?: string): void;
  /** Changes a service without a request, by JSON merge patch. */
  editService(id: string, patch: object): Service;
  /** Changes a reverse private endpoint without a request, by JSON merge patch. */
  editEndpoint(id: string, patch: object): ReversePrivateEndpoint;
  deleteEndpoint(id: string): void;
  /** Adds backups to a service, or replaces all. */
  seedBackups(
    backups: readonly Partial<Backup>[],
    options?: { serviceId?: string; replace?: boolean },
  ): Backup[];
  /** Advances the clock of states and rate limit; returns the simulated time, in ms. */
  advance(seconds: number): number;
  /** How the simulator behaves now, in all services or in one: profiles, times, clock. */
  behaviour(serviceId?: string): Behaviour;
  /** Changes the given members of the behaviour for later requests; returns the new behaviour. */
  setBehaviour(change: Partial<Behaviour>, serviceId?: string): Behaviour;
  /** Requests a fault. */
  fault(fault: Fault): void;
  /** The pending faults. */
  faults(): Fault[];
  clearFaults(): void;
  /** The digest of this value in `credentialsDigest`; each simulator has its own. */
  digest(value: object): string;
}
